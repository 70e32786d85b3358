package svc.storage.resumable;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** The checksum of one request's bytes, by TUS's extension: bytes count when it is right, and none otherwise. */
final class Checksum {
    static final String ALGORITHMS = "sha1,sha256,md5";

    private static final Map<String, String> NAMES = Map.of("sha1", "SHA-1", "sha256", "SHA-256", "md5", "MD5");

    private final MessageDigest digest;
    private final byte[] expected;

    private Checksum(MessageDigest digest, byte[] expected) {
        this.digest = digest;
        this.expected = expected;
    }

    /** @throws StorageError for an unknown algorithm, or a value that is not Base64 */
    static Optional<Checksum> of(StorageCall call) {
        return call.header("upload-checksum").map(Checksum::of);
    }

    private static Checksum of(String header) {
        String[] parts = header.strip().split(" ", -1);
        String algorithm = NAMES.get(parts[0]);
        if (algorithm == null || parts.length != 2) {
            throw TusError.header("Upload-Checksum must be one of " + ALGORITHMS + " and a value in Base64");
        }
        try {
            return new Checksum(
                    MessageDigest.getInstance(algorithm), Base64.getDecoder().decode(parts[1]));
        } catch (IllegalArgumentException e) {
            throw TusError.header("Upload-Checksum must have a value in Base64");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    void update(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
    }

    /** @throws StorageError when the bytes are others */
    void verify() {
        if (!MessageDigest.isEqual(digest.digest(), expected)) {
            throw TusError.checksum();
        }
    }
}
