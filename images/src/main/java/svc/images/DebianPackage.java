package svc.images;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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

    /** @throws IOException when the file is not the locked one, for another architecture, or no package */
    static void unpack(Path file, PackageLock.Entry locked, FileTree into) throws IOException {
        byte[] content = locked.read(file, "packages.lock");
        checkArchitecture(file, member(file, content, "control.tar.xz"), locked.architecture());
        unpack(new ByteArrayInputStream(member(file, content, "data.tar.xz")), into);
    }

    /** The file of that name in the package's outer archive, unpacked by xz. */
    private static byte[] member(Path file, byte[] content, String name) throws IOException {
        try (var ar = new ArArchiveInputStream(new ByteArrayInputStream(content))) {
            for (ArArchiveEntry member = ar.getNextEntry(); member != null; member = ar.getNextEntry()) {
                if (member.getName().equals(name)) {
                    return new XZCompressorInputStream(new BufferedInputStream(ar)).readAllBytes();
                }
            }
        }
        throw new IOException(file + " has no " + name);
    }

    private static void checkArchitecture(Path file, byte[] control, Architecture wanted) throws IOException {
        try (var tar = new TarArchiveInputStream(new ByteArrayInputStream(control))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.getName().equals("./control")) {
                    String text = new String(tar.readAllBytes(), StandardCharsets.UTF_8);
                    if (text.lines().noneMatch(("Architecture: " + wanted.label())::equals)) {
                        throw new IOException(file + " is not for " + wanted.label());
                    }
                    return;
                }
            }
        }
        throw new IOException(file + " has no control file");
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
