package svc.auth.token;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import svc.database.key.RefreshTokenKey;

/**
 * Refresh tokens without a table: a session id and a counter, with a MAC. The counter of the session's row decides whether a
 * token is the newest. Layout: version, session (16 bytes), counter (8 bytes), MAC (16 bytes), in base64url.
 */
public final class RefreshTokens {
    private static final byte VERSION = 1;
    private static final int SIGNED_BYTES = 1 + 16 + 8;
    private static final int MAC_BYTES = 16;

    private final RefreshTokenKey key;

    RefreshTokens(RefreshTokenKey key) {
        this.key = key;
    }

    /** The content of a token whose MAC is valid. */
    public record Claim(UUID session, long counter) {}

    public String of(UUID session, long counter) {
        byte[] signed = ByteBuffer.allocate(SIGNED_BYTES)
                .put(VERSION)
                .putLong(session.getMostSignificantBits())
                .putLong(session.getLeastSignificantBits())
                .putLong(counter)
                .array();
        byte[] token = Arrays.copyOf(signed, SIGNED_BYTES + MAC_BYTES);
        System.arraycopy(key.mac(signed), 0, token, SIGNED_BYTES, MAC_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** Empty for a text that is no token of this project. */
    public Optional<Claim> read(String text) {
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (token.length != SIGNED_BYTES + MAC_BYTES || token[0] != VERSION) {
            return Optional.empty();
        }
        byte[] expected = Arrays.copyOf(key.mac(Arrays.copyOf(token, SIGNED_BYTES)), MAC_BYTES);
        if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(token, SIGNED_BYTES, token.length))) {
            return Optional.empty();
        }
        ByteBuffer fields = ByteBuffer.wrap(token, 1, SIGNED_BYTES - 1);
        return Optional.of(new Claim(new UUID(fields.getLong(), fields.getLong()), fields.getLong()));
    }
}
