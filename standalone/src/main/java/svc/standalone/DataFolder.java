package svc.standalone;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/**
 * The data folder of one platform, locked by one process at a time. Secrets are files with mode 0600, generated on the first
 * start and never changed.
 */
final class DataFolder implements AutoCloseable {
    private final Path root;
    private final FileChannel lockFile;

    private DataFolder(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /**
     * Locks the folder, creating it if missing.
     *
     * @throws IOException when another process holds the lock, or the folder is not writable; the message says what to do
     */
    static DataFolder take(Path root) throws IOException {
        try {
            Files.createDirectories(root);
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        } catch (IOException e) {
            throw new IOException(
                    "the data folder " + root + " cannot be created or belongs to another user (" + e.getMessage()
                            + "); choose another with --data, or give it to this user",
                    e);
        }
        // A file lock ends with its process; the mere existence of a file would outlive kill -9.
        FileChannel file = FileChannel.open(
                root.resolve("svc.lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            file.close();
            throw new IOException("another svc process uses " + root
                    + ". Stop it with ./svc down, or choose another folder with --data.");
        }
        var folder = new DataFolder(root, file);
        folder.writePrivately(folder.file("svc.pid"), ProcessHandle.current().pid() + "\n");
        return folder;
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /** The secret of this name, generated on the first call. */
    String secret(String name, Supplier<String> madeUp) throws IOException {
        Path file = file(name);
        if (!Files.exists(file)) {
            writePrivately(file, madeUp.get());
        }
        return Files.readString(file).strip();
    }

    /** Writes a file that only its owner may read; a crash leaves the old content or the new, never half of it. */
    void writePrivately(Path file, String content) throws IOException {
        Path scratch = Files.createTempFile(
                root, ".new-", "", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(scratch, content);
        try (FileChannel channel = FileChannel.open(scratch, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(scratch, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file("svc.pid"));
        lockFile.close();
    }
}
