package svc.platform.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jboss.logging.Logger;

/**
 * A temporary folder that ends with this process. A process that is killed leaves its folder; the next one that makes a folder of
 * the same kind deletes it. A lock tells which process is gone, since the operating system releases it with the process.
 */
public final class ProcessFolder implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ProcessFolder.class);
    private static final String LOCK = ".lock";

    private final Path path;
    private final FileChannel lock;

    private ProcessFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a folder in the system's temporary folder.
     *
     * @param kind the beginning of its name, such as {@code svc-image-}
     */
    public static ProcessFolder create(String kind) throws IOException {
        return create(Path.of(System.getProperty("java.io.tmpdir")), kind);
    }

    /** The same in a given folder. */
    static ProcessFolder create(Path parent, String kind) throws IOException {
        deleteLeft(parent, kind);
        while (true) {
            Path path = Files.createTempDirectory(parent, own(kind));
            FileChannel channel =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            // Another process may have found the folder before it was locked, and is deleting it.
            if (channel.tryLock() != null && Files.exists(path.resolve(LOCK))) {
                return new ProcessFolder(path, channel);
            }
            channel.close();
        }
    }

    private static String own(String kind) {
        return kind + ProcessHandle.current().pid() + "-";
    }

    private static void deleteLeft(Path parent, String kind) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, kind + "*")) {
            for (Path folder : folders) {
                // A lock ends as soon as its own process closes any channel of the file.
                if (!folder.getFileName().toString().startsWith(own(kind))) {
                    deleteIfLeft(folder);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debugf(e, "while looking for temporary folders %s", kind);
        }
    }

    private static void deleteIfLeft(Path folder) {
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) {
                ScratchFolder.delete(folder);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // Deleted meanwhile, of another user, or not locked yet.
            LOG.debugf(e, "the temporary folder %s stays", folder);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        ScratchFolder.delete(path);
        try {
            lock.close();
        } catch (IOException e) {
            LOG.debugf(e, "while unlocking the temporary folder %s", path);
        }
    }
}
