package svc.images;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Content addresses, as OCI writes them: {@code sha256:} and 64 hex digits. */
final class Digest {
    private static final String ALGORITHM = "sha256:";

    private Digest() {}

    static String of(byte[] content) {
        return ALGORITHM + hex(content);
    }

    static String hex(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }

    static String hexOf(String digest) {
        return digest.substring(ALGORITHM.length());
    }
}
