package svc.platform.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Temporary folders of child processes. */
public final class ScratchFolder {
    private static final Logger LOG = Logger.getLogger(ScratchFolder.class);

    private ScratchFolder() {}

    /** Deletes a folder with its content; what cannot be deleted is left to the system's own cleaning. */
    public static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debugf(e, "while deleting the temporary folder %s", folder);
        }
    }
}
