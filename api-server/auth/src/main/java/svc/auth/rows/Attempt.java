package svc.auth.rows;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import svc.auth.rows.OneTimeTokens.Type;

/**
 * The last public call that asked for a message to an unconfirmed address: a row of its own among the one-time
 * tokens, deleted with them.
 *
 * @param origin a hash of the caller's address
 * @param at when the message was sent
 */
public record Attempt(Standing standing, String origin, Instant at) {
    /** What the account of such an address holds. */
    public enum Standing {
        /** What came with this attempt, and the message that was sent last belongs to it. */
        SOLE,
        /** The same, but another caller has asked for the address as well, while a message was under way. */
        CONTESTED,
        /** What the project's server wrote; the attempt has added nothing. */
        MADE_BY_SERVER;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param address of the caller, or the network that stands for it */
    public static Attempt of(Standing standing, String address, Instant at) {
        return new Attempt(standing, hash(address), at);
    }

    public static Optional<Attempt> read(AuthSession db, UUID user) {
        return new OneTimeTokens(db)
                .ofUser(user, Type.ATTEMPT)
                .map(row ->
                        new Attempt(Standing.valueOf(row.address().toUpperCase(Locale.ROOT)), row.hash(), row.at()));
    }

    public void write(AuthSession db, UUID user) {
        new OneTimeTokens(db).put(user, Type.ATTEMPT, origin, standing.word(), at);
    }

    public Attempt with(Standing other) {
        return new Attempt(other, origin, at);
    }

    public boolean isFrom(String address) {
        return origin.equals(hash(address));
    }

    private static String hash(String address) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(("origin " + address).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
