package svc.database.name;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The second spelling of a project's ref, for programs that take a ref of Supabase's form alone: 20 letters. It is computed
 * from the ref and stored nowhere. Eight letters are the ref's own, with {@code a} to {@code j} for its digits; two say which
 * of them are digits; ten are a checksum, so that neither a typing error nor a ref of Supabase's names a project here. It is
 * no secret, as the ref is none.
 */
public final class SupabaseRef {
    private static final Pattern REF = Pattern.compile("[a-z][a-z0-9]{7}");
    private static final Pattern SPELLING = Pattern.compile("[a-z]{20}");

    private static final int BODY = 8;
    private static final int MARKS = 2;
    private static final int CHECKSUM = 10;
    private static final int LETTERS = 26;

    private SupabaseRef() {}

    /** @throws IllegalArgumentException for what is no ref */
    public static String of(String ref) {
        if (!REF.matcher(ref).matches()) {
            throw new IllegalArgumentException("not a ref: " + ref);
        }
        StringBuilder body = new StringBuilder();
        int marks = 0;
        for (char c : ref.toCharArray()) {
            boolean digit = c <= '9';
            marks = 2 * marks + (digit ? 1 : 0);
            body.append(digit ? (char) ('a' + (c - '0')) : c);
        }
        return body + letters(marks, MARKS) + letters(checksum(ref), CHECKSUM);
    }

    /** The ref that is spelled so; empty unless {@link #of} gives exactly this text for it. */
    public static Optional<String> ref(String spelling) {
        if (!SPELLING.matcher(spelling).matches()) {
            return Optional.empty();
        }
        int marks = LETTERS * (spelling.charAt(BODY) - 'a') + (spelling.charAt(BODY + 1) - 'a');
        StringBuilder ref = new StringBuilder();
        for (int at = 0; at < BODY; at++) {
            char letter = spelling.charAt(at);
            boolean digit = (marks >> (BODY - 1 - at) & 1) == 1;
            ref.append(digit ? (char) ('0' + (letter - 'a')) : letter);
        }
        // A letter after j that is marked as a digit, or a first digit, makes no ref.
        return Optional.of(ref.toString())
                .filter(text -> REF.matcher(text).matches())
                .filter(text -> of(text).equals(spelling));
    }

    /** Most significant first. */
    private static String letters(long value, int length) {
        char[] out = new char[length];
        long rest = value;
        for (int at = length - 1; at >= 0; at--) {
            out[at] = (char) ('a' + Long.remainderUnsigned(rest, LETTERS));
            rest = Long.divideUnsigned(rest, LETTERS);
        }
        return new String(out);
    }

    /** More than ten letters hold: they keep its lower part. */
    private static long checksum(String ref) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(("svc ref " + ref).getBytes(StandardCharsets.US_ASCII));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }
}
