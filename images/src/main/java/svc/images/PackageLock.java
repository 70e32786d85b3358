package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The locked Debian packages, by version and SHA-256: {@code images/packages.lock}. */
record PackageLock(List<Entry> entries) {
    /** One package. */
    record Entry(String name, String version, String sha256) {
        /** As apt names what it downloads. */
        Path in(Path folder) {
            return folder.resolve(name + "_" + version.replace(":", "%3a") + "_amd64.deb");
        }
    }

    /** @throws IOException when a line is not a name, a version and a SHA-256 */
    static PackageLock read(Path file) throws IOException {
        return new PackageLock(Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> {
                    String[] words = line.strip().split("\\s+");
                    if (words.length != 3 || !words[2].matches("[0-9a-f]{64}")) {
                        throw new IllegalArgumentException(
                                file + " has a line that is not a name, a version and a SHA-256: " + line);
                    }
                    return new Entry(words[0], words[1], words[2]);
                })
                .toList());
    }
}
