package svc.images;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

/**
 * A Java runtime for an image. jlink makes that of the machine's own architecture; that of another one is in a locked wheel of
 * PyPI, because jlink cannot link for a platform whose modules are not there.
 *
 * @param release its file {@code release}
 */
record JavaRuntime(FileTree tree, String release) {
    private static final String AT = "opt/java/";
    private static final Predicate<String> WANTED = path -> !path.equals("lib/classlist");
    private static final String IN_WHEEL = "/runtime/";

    /** @param folder a runtime that jlink made */
    static JavaRuntime linked(Path folder) throws IOException {
        var tree = new FileTree().folder(AT.substring(0, AT.length() - 1), folder, WANTED);
        return new JavaRuntime(tree, Files.readString(folder.resolve("release")));
    }

    /**
     * The runtime in a wheel, below {@code runtime/} of its only package.
     *
     * @throws IOException when there is none
     */
    static JavaRuntime inWheel(byte[] wheel) throws IOException {
        var tree = new FileTree();
        String release = null;
        try (ZipFile zip = ZipFile.builder()
                .setSeekableByteChannel(new SeekableInMemoryByteChannel(wheel))
                .get()) {
            for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
                int at = entry.getName().indexOf(IN_WHEEL);
                if (at < 0 || entry.isDirectory()) {
                    continue;
                }
                String path = entry.getName().substring(at + IN_WHEEL.length());
                byte[] content = content(zip, entry);
                if (path.equals("release")) {
                    release = new String(content, StandardCharsets.UTF_8);
                }
                if (WANTED.test(path)) {
                    put(tree, path, entry, content);
                }
            }
        }
        if (release == null) {
            throw new IOException("the wheel has no Java runtime");
        }
        return new JavaRuntime(tree, release);
    }

    private static byte[] content(ZipFile zip, ZipArchiveEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private static void put(FileTree tree, String path, ZipArchiveEntry entry, byte[] content) {
        if (entry.isUnixSymlink()) {
            tree.put(AT + path, new FileTree.Entry.Link(new String(content, StandardCharsets.UTF_8)));
        } else if ((entry.getUnixMode() & 0100) != 0) {
            tree.program(AT + path, content);
        } else {
            tree.file(AT + path, content);
        }
    }

    /**
     * Its version. A runtime that jlink made has JAVA_VERSION alone.
     *
     * @throws IllegalArgumentException if the file {@code release} names none
     */
    String version() {
        return Stream.of("JAVA_RUNTIME_VERSION", "JAVA_VERSION")
                .flatMap(this::value)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the release file of the Java runtime has no version"));
    }

    /** @throws IOException when a module is missing */
    void check(List<String> modules) throws IOException {
        List<String> has =
                value("MODULES").flatMap(list -> Arrays.stream(list.split(" "))).toList();
        List<String> missing =
                modules.stream().filter(module -> !has.contains(module)).toList();
        if (!missing.isEmpty()) {
            throw new IOException("the Java runtime lacks " + missing);
        }
    }

    private Stream<String> value(String name) {
        return Pattern.compile("(?m)^" + name + "=\"([^\"]+)\"$")
                .matcher(release)
                .results()
                .map(found -> found.group(1));
    }
}
