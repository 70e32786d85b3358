package svc.management.token;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import svc.database.key.KeyKind;

/** The secret {@code svc_pat_…} of a token: 32 random bytes and a checksum. Never stored or logged. */
public final class TokenSecret {
    private static final int BYTES = 32;
    private static final int HINT_LENGTH = 4;

    private final String text;

    private TokenSecret(String text) {
        this.text = text;
    }

    static TokenSecret generate(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new TokenSecret(KeyKind.PAT.format().encode(bytes));
    }

    /** Empty for a malformed token, so that garbage never costs a query. */
    public static Optional<TokenSecret> parse(String text) {
        return KeyKind.PAT.format().accepts(text) ? Optional.of(new TokenSecret(text)) : Optional.empty();
    }

    /** To be shown once. */
    public String reveal() {
        return text;
    }

    /** The hash that is stored and looked up. */
    byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    String hint() {
        return text.substring(text.length() - HINT_LENGTH);
    }

    @Override
    public String toString() {
        return "TokenSecret[…" + hint() + "]";
    }
}
