package svc.management.token;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import svc.database.key.KeyKind;

/** The secret {@code svc_pat_…} or {@code svc_mcp_…} of a token: 32 random bytes and a checksum. Never stored or logged. */
public final class TokenSecret {
    private static final int BYTES = 32;
    private static final int HINT_LENGTH = 4;

    private final String text;

    private TokenSecret(String text) {
        this.text = text;
    }

    static TokenSecret generate(SecureRandom random) {
        return generate(KeyKind.PAT, random);
    }

    /** Of a kind of tokens. */
    public static TokenSecret generate(KeyKind kind, SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new TokenSecret(kind.format().encode(bytes));
    }

    /** Empty for a malformed token, so that garbage never costs a query. */
    public static Optional<TokenSecret> parse(String text) {
        return parse(KeyKind.PAT, text);
    }

    /** The same for another kind of tokens. */
    public static Optional<TokenSecret> parse(KeyKind kind, String text) {
        return kind.format().accepts(text) ? Optional.of(new TokenSecret(text)) : Optional.empty();
    }

    /** To be shown once. */
    public String reveal() {
        return text;
    }

    /** The hash that is stored and looked up. */
    public byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    /** Its last characters, for recognizing it in a list. */
    public String hint() {
        return text.substring(text.length() - HINT_LENGTH);
    }

    @Override
    public String toString() {
        return "TokenSecret[…" + hint() + "]";
    }
}
