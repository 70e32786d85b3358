package svc.images;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The files of a Debian package, without manual pages and other files for interactive use. */
final class DebianPackage {
    /** Licences stay; converters of character sets are not used by Java or Deno. */
    private static final Predicate<String> WANTED = path -> !path.matches(
            "usr/share/(man|doc-base|lintian|info|locale)(/.*)?|usr/share/doc/[^/]+/(?!copyright$).*|usr/lib/[^/]+/(gconv|audit)(/.*)?|etc/.*");

    private DebianPackage() {}

    /** @throws IOException when the file is not the locked one, or no package */
    static void unpack(Path file, PackageLock.Entry locked, FileTree into) throws IOException {
        byte[] content = Files.readAllBytes(file);
        if (!Digest.hex(content).equals(locked.sha256())) {
            throw new IOException(file + " is not the package of images/packages.lock: its SHA-256 is "
                    + Digest.hex(content) + ", not " + locked.sha256());
        }
        try (var ar = new ArArchiveInputStream(new ByteArrayInputStream(content))) {
            for (ArArchiveEntry member = ar.getNextEntry(); member != null; member = ar.getNextEntry()) {
                if (member.getName().equals("data.tar.xz")) {
                    unpack(new XZCompressorInputStream(new BufferedInputStream(ar)), into);
                    return;
                }
            }
        }
        throw new IOException(file + " has no data.tar.xz");
    }

    private static void unpack(InputStream data, FileTree into) throws IOException {
        try (var tar = new TarArchiveInputStream(data)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String path = entry.getName().replaceFirst("^\\./", "").replaceFirst("/$", "");
                if (path.isEmpty() || !WANTED.test(path)) {
                    continue;
                }
                if (entry.isSymbolicLink()) {
                    into.put(path, new FileTree.Entry.Link(entry.getLinkName()));
                } else if (entry.isFile()) {
                    into.put(path, new FileTree.Entry.File(tar.readAllBytes(), entry.getMode() & 0777));
                }
            }
        }
    }
}
