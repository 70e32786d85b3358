package svc.database.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/**
 * HKDF-SHA256 (RFC 5869) with an {@code info} that cannot be read in two ways: a constant step name, the purpose's label,
 * both ended by a zero byte that neither contains, then fields of fixed length.
 */
final class Derivation {
    static final int KEY_BYTES = 32;

    /** The format of the derivation itself; a new one would change every key. */
    private static final String FORMAT = "svc/1/";

    private static final byte[] NO_SALT = {};

    private Derivation() {}

    static byte[] derive(byte[] key, String step, Purpose purpose, ByteBuffer fixedFields, int length) {
        byte[] stepBytes = (FORMAT + step).getBytes(StandardCharsets.UTF_8);
        byte[] label = purpose.label().getBytes(StandardCharsets.UTF_8);
        byte[] info = ByteBuffer.allocate(stepBytes.length + label.length + 2 + fixedFields.remaining())
                .put(stepBytes)
                .put((byte) 0)
                .put(label)
                .put((byte) 0)
                .put(fixedFields)
                .array();
        HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA256Digest());
        hkdf.init(new HKDFParameters(key, NO_SALT, info));
        byte[] out = new byte[length];
        hkdf.generateBytes(out, 0, length);
        return out;
    }
}
