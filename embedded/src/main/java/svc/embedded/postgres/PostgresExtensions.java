package svc.embedded.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Extensions that the PostgreSQL binaries come without: {@code vector}, which the launcher fetches ({@code embedded/vector.py}).
 * A server without them runs as well; the platform then offers what is there.
 *
 * @param folder with the libraries in {@code lib}, control files and scripts in {@code extension}
 */
record PostgresExtensions(Path folder) {
    private static final String LIBRARIES = "lib";
    private static final String SCRIPTS = "extension";

    /** The name says for which version of the server they are built: a library of another one does not load. */
    private static final Path NAME = Path.of("svc", "postgresql-18-vector-0.8.5");

    /** Those of this user; empty if they were not fetched. */
    static Optional<PostgresExtensions> found() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path parent =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return Optional.of(new PostgresExtensions(parent.resolve(NAME)))
                .filter(extensions -> Files.isDirectory(extensions.folder()));
    }

    /** A short digest of all files. */
    String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files()) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading " + folder, e);
        }
    }

    /** Puts copies beside the server's own, where its unprivileged user may read them. */
    void copyTo(Path home) throws IOException {
        for (Path file : files()) {
            Path target = folder.relativize(file).startsWith(LIBRARIES)
                    ? home.resolve("lib/postgresql")
                    : home.resolve("share/postgresql/extension");
            Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files =
                Files.walk(folder, 2).filter(Files::isRegularFile).sorted()) {
            return files.filter(file -> file.getParent().endsWith(LIBRARIES)
                            || file.getParent().endsWith(SCRIPTS))
                    .toList();
        }
    }
}
