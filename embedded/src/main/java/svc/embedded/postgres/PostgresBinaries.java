package svc.embedded.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import svc.embedded.process.Folders;

/**
 * The unpacked PostgreSQL programs with the extensions that were fetched, kept once per version and user in the folder for
 * temporary files.
 */
record PostgresBinaries(Path home) {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";

    /** Unpacks the programs unless this version is there already; safe when several processes do so at once. */
    static PostgresBinaries unpack() {
        return unpack(PostgresExtensions.found());
    }

    private static PostgresBinaries unpack(Optional<PostgresExtensions> extensions) {
        String suffix = extensions.map(more -> "-" + more.digest()).orElse("");
        Path target = Path.of(
                System.getProperty("java.io.tmpdir"),
                "svc-postgres-" + System.getProperty("user.name") + "-" + archiveDigest() + suffix);
        if (!Files.isDirectory(target)) {
            try {
                Path scratch = Files.createTempDirectory(target.getParent(), "svc-postgres-unpacking-");
                extract(scratch);
                if (extensions.isPresent()) {
                    extensions.get().copyTo(scratch);
                }
                // Readable by the unprivileged user of the server.
                Files.setPosixFilePermissions(scratch, permissions(0755));
                publish(scratch, target);
            } catch (IOException e) {
                throw new UncheckedIOException("while unpacking PostgreSQL into " + target, e);
            }
        }
        return new PostgresBinaries(target);
    }

    String program(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    private static void publish(Path scratch, Path target) throws IOException {
        try {
            Files.move(scratch, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | AtomicMoveNotSupportedException e) {
            Folders.deleteRecursively(scratch);
        } catch (FileSystemException e) {
            // Another process was first: renaming onto a folder that is not empty fails, and its copy is as good.
            Folders.deleteRecursively(scratch);
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
    }

    private static void extract(Path target) throws IOException {
        try (var archive = new TarArchiveInputStream(new XZCompressorInputStream(open()))) {
            for (TarArchiveEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException("the archive names a file outside its folder: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else if (entry.isSymbolicLink()) {
                    Files.createDirectories(file.getParent());
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(archive, file);
                    Files.setPosixFilePermissions(file, permissions(entry.getMode() | 0444));
                }
            }
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        var permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] highestBitFirst = PosixFilePermission.values();
        for (int bit = 0; bit < highestBitFirst.length; bit++) {
            if ((mode & (0400 >> bit)) != 0) {
                permissions.add(highestBitFirst[bit]);
            }
        }
        return permissions;
    }

    private static String archiveDigest() {
        try (var in = new DigestInputStream(open(), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest()).substring(0, 16);
        } catch (IOException e) {
            throw new UncheckedIOException("while reading the PostgreSQL archive", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static InputStream open() {
        InputStream archive = PostgresBinaries.class.getResourceAsStream(ARCHIVE);
        if (archive == null) {
            throw new IllegalStateException("there are no PostgreSQL binaries for this machine on the class path: "
                    + ARCHIVE + " (svc contains those for Linux on x86-64)");
        }
        return archive;
    }
}
