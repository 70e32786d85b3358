package svc.auth.token;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import svc.database.key.RefreshTokenKey;

/**
 * Refresh tokens that no table holds: a session and a counter, with a MAC. Whether one may still be used, the session's own
 * counter says. Layout: version, session (16 bytes), counter (8 bytes), MAC (16 bytes), in base64url.
 */
public final class RefreshTokens {
    private static final byte VERSION = 1;
    private static final int SIGNED_BYTES = 1 + 16 + 8;
    private static final int MAC_BYTES = 16;

    private final RefreshTokenKey key;

    RefreshTokens(RefreshTokenKey key) {
        this.key = key;
    }

    /** What a token says. */
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

    /** Empty for anything that this project has not made. */
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
