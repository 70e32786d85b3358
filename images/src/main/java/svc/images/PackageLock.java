package svc.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Packages of another origin that are locked by version and SHA-256: {@code images/packages.lock}, {@code images/java.lock}. */
record PackageLock(List<Entry> entries) {
    private static final int WORDS = 4;

    /** One package. */
    record Entry(String name, Architecture architecture, String version, String sha256) {
        /** As apt names what it downloads. */
        Path debianPackage(Path folder) {
            return folder.resolve(name + "_" + version.replace(":", "%3a") + "_" + architecture.label() + ".deb");
        }

        /** @throws IOException when the file is another one than the locked one, which {@code lock} names */
        byte[] read(Path file, String lock) throws IOException {
            byte[] content = Files.readAllBytes(file);
            if (!Digest.hex(content).equals(sha256)) {
                throw new IOException(file + " is not the package of images/" + lock + ": its SHA-256 is "
                        + Digest.hex(content) + ", not " + sha256);
            }
            return content;
        }
    }

    /** @throws IllegalArgumentException when a line is not a name, an architecture, a version and a SHA-256 */
    static PackageLock read(Path file) throws IOException {
        return new PackageLock(Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> {
                    String[] words = line.strip().split("\\s+");
                    if (words.length != WORDS || !words[3].matches("[0-9a-f]{64}")) {
                        throw new IllegalArgumentException(file
                                + " has a line that is not a name, an architecture, a version and a SHA-256: " + line);
                    }
                    return new Entry(words[0], Architecture.of(words[1]), words[2], words[3]);
                })
                .toList());
    }

    /** The packages for one architecture. */
    PackageLock of(Architecture architecture) {
        return new PackageLock(entries.stream()
                .filter(entry -> entry.architecture() == architecture)
                .toList());
    }
}
