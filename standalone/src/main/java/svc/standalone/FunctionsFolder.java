package svc.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * The folder of the functions' sockets: in the data folder, unless its path is too long for a socket or not accessible to the
 * users that functions run as; then in the folder for temporary files, named by a hash of the data folder.
 */
final class FunctionsFolder {
    /** A socket's path has at most 107 bytes, and namespace, Deployment and number need most of them. */
    private static final int MAX_PATH_LENGTH = 40;

    private FunctionsFolder() {}

    /** The folder for the platform of a data folder; not made yet. */
    static Path of(Path data) throws IOException {
        Path own = data.toAbsolutePath().normalize().resolve("functions");
        if (own.toString().length() <= MAX_PATH_LENGTH
                && openToOthers(data.toAbsolutePath().normalize())) {
            return own;
        }
        String name = "svc-" + Integer.toHexString(own.toString().hashCode());
        Path elsewhere = Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
        // Another user may have created it first: do not use a foreign folder.
        if (Files.exists(elsewhere) && !Files.getOwner(elsewhere).equals(Files.getOwner(data))) {
            throw new IOException(
                    "the folder " + elsewhere + " belongs to another user: remove it, or choose a shorter --data"
                            + " that others may pass through");
        }
        return elsewhere;
    }

    /** Whether every folder of the path is executable for others, which is all that functions' users need. */
    private static boolean openToOthers(Path folder) throws IOException {
        for (Path each = folder; each != null; each = each.getParent()) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(each);
            if (!permissions.contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }
}
