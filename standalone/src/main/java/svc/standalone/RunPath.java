package svc.standalone;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Where functions run: in the data folder, unless its name is so long that the path of a socket in it would not be one. Pure.
 */
final class RunPath {
    /** Leaves room for a namespace, a Deployment and a number within the 107 bytes of a socket's path. */
    private static final int LONGEST = 48;

    private static final int HASH_DIGITS = 12;

    private RunPath() {}

    /** @param wanted the folder as it should be; another one means another folder */
    static Path under(Path wanted) {
        Path absolute = wanted.toAbsolutePath().normalize();
        byte[] name = absolute.toString().getBytes(StandardCharsets.UTF_8);
        return name.length <= LONGEST ? absolute : Path.of("/tmp", "svc-run-" + hash(name));
    }

    private static String hash(byte[] name) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(name))
                    .substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
