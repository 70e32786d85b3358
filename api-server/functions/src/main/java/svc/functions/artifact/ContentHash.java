package svc.functions.artifact;

import com.google.re2j.Pattern;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A content address: {@code sha256:} and the hex SHA-256 of the bytes.
 *
 * @param hex 64 characters
 */
public record ContentHash(String hex) {
    private static final String PREFIX = "sha256:";
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    public ContentHash {
        if (!HEX.matcher(hex).matches()) {
            throw new IllegalArgumentException("not the hex of a SHA-256: " + hex);
        }
    }

    public static ContentHash of(byte[] bytes) {
        try {
            return new ContentHash(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The hash of which this is the hex; empty for text of another form. */
    public static Optional<ContentHash> ofHex(String text) {
        return text != null && HEX.matcher(text).matches() ? Optional.of(new ContentHash(text)) : Optional.empty();
    }

    /** The hash in a resource; empty for text of another form. */
    public static Optional<ContentHash> parse(String text) {
        if (text == null || !text.startsWith(PREFIX)) {
            return Optional.empty();
        }
        return ofHex(text.substring(PREFIX.length()));
    }

    /** With the prefix {@code sha256:}, as in resources. */
    @Override
    public String toString() {
        return PREFIX + hex;
    }
}
