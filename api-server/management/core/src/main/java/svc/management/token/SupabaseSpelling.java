package svc.management.token;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The second spelling of a personal access token, for programs that accept Supabase's form alone: {@code sbp_} and the first
 * 160 bits of a SHA-256 of the token as hex digits. The token has 256 random bits, so the spelling is as hard to guess as it
 * is long, and the token cannot be computed from it. Never stored or logged, as the token itself.
 */
public final class SupabaseSpelling {
    private static final Pattern FORM = Pattern.compile("sbp_[0-9a-f]{40}");

    /** Before the token, so that its stored hash and its spelling say nothing of each other. Users type it: see docs/agents.md. */
    private static final String CONTEXT = "supabase:";

    private static final int BYTES = 20;

    private final String text;

    private SupabaseSpelling(String text) {
        this.text = text;
    }

    static SupabaseSpelling of(TokenSecret secret) {
        return new SupabaseSpelling("sbp_" + HexFormat.of().formatHex(sha256(CONTEXT + secret.reveal()), 0, BYTES));
    }

    /** Empty for other texts. */
    public static Optional<SupabaseSpelling> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new SupabaseSpelling(text)) : Optional.empty();
    }

    /** To be shown once. */
    String reveal() {
        return text;
    }

    /** The hash that is stored and looked up. */
    byte[] hash() {
        return sha256(text);
    }

    @Override
    public String toString() {
        return "SupabaseSpelling[…]";
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }
}
