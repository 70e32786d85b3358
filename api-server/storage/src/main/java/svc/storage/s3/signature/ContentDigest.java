package svc.storage.s3.signature;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** A digest or checksum that a client declares of a body, in base64. */
interface ContentDigest {
    void update(byte[] bytes, int offset, int length);

    String base64();

    /** Of {@code crc32}, {@code crc32c}, {@code crc64nvme}, {@code sha1} or {@code sha256}; empty for another one. */
    static Optional<ContentDigest> of(String algorithm) {
        return switch (algorithm) {
            case "crc32" -> Optional.of(new Sum(new CRC32(), Integer.BYTES));
            case "crc32c" -> Optional.of(new Sum(new CRC32C(), Integer.BYTES));
            case "crc64nvme" -> Optional.of(new Sum(new Crc64Nvme(), Long.BYTES));
            case "sha1" -> Optional.of(new Hash(SigV4.digest("SHA-1")));
            case "sha256" -> Optional.of(new Hash(SigV4.digest("SHA-256")));
            default -> Optional.empty();
        };
    }

    static ContentDigest md5() {
        return new Hash(SigV4.digest("MD5"));
    }

    /** A checksum of so many bytes. */
    record Sum(Checksum sum, int length) implements ContentDigest {
        @Override
        public void update(byte[] bytes, int offset, int count) {
            sum.update(bytes, offset, count);
        }

        @Override
        public String base64() {
            byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(sum.getValue()).array();
            return Base64.getEncoder()
                    .encodeToString(java.util.Arrays.copyOfRange(all, Long.BYTES - length, Long.BYTES));
        }
    }

    /** A digest; it can be asked once. */
    record Hash(MessageDigest digest) implements ContentDigest {
        @Override
        public void update(byte[] bytes, int offset, int count) {
            digest.update(bytes, offset, count);
        }

        @Override
        public String base64() {
            return Base64.getEncoder().encodeToString(digest.digest());
        }
    }
}
