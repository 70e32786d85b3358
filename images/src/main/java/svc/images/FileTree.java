package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of a layer by their paths, without a leading slash. Sorted by path; without owner and time. */
public final class FileTree {
    private static final int READABLE = 0644;
    private static final int EXECUTABLE = 0755;

    /** An entry of the tree. */
    public sealed interface Entry {
        record Folder(int mode) implements Entry {}

        record File(byte[] content, int mode) implements Entry {}

        record Link(String target) implements Entry {}
    }

    private final SortedMap<String, Entry> entries = new TreeMap<>();

    public SortedMap<String, Entry> entries() {
        return entries;
    }

    /** @throws IllegalArgumentException when the path leaves the tree, or is in use */
    public FileTree put(String path, Entry entry) {
        if (path.isEmpty() || path.startsWith("/") || Path.of(path).normalize().startsWith("..")) {
            throw new IllegalArgumentException("no path inside a layer: " + path);
        }
        String clean = Path.of(path).normalize().toString();
        Path parent = Path.of(clean).getParent();
        if (parent != null && !entries.containsKey(parent.toString())) {
            put(parent.toString(), new Entry.Folder(EXECUTABLE));
        }
        Entry before = entries.get(clean);
        if (before != null && !(before instanceof Entry.Folder && entry instanceof Entry.Folder)) {
            throw new IllegalArgumentException("two entries have the path " + clean);
        }
        entries.put(clean, entry);
        return this;
    }

    public FileTree file(String path, byte[] content) {
        return put(path, new Entry.File(content, READABLE));
    }

    public FileTree program(String path, byte[] content) {
        return put(path, new Entry.File(content, EXECUTABLE));
    }

    /** The files of a folder whose relative path matches {@code wanted}. */
    public FileTree folder(String at, Path folder, Predicate<String> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                String path = folder.relativize(file).toString();
                if (file.equals(folder) || !wanted.test(path)) {
                    continue;
                }
                if (Files.isSymbolicLink(file)) {
                    put(
                            at + "/" + path,
                            new Entry.Link(Files.readSymbolicLink(file).toString()));
                } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    int mode = isProgram(file) ? EXECUTABLE : READABLE;
                    put(at + "/" + path, new Entry.File(Files.readAllBytes(file), mode));
                }
            }
        }
        return this;
    }

    /** By the owner's bit alone: the other bits depend on the umask of the build machine. */
    private static boolean isProgram(Path file) throws IOException {
        return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE);
    }
}
