package svc.e2e.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The memory that a process and everything it started hold, in bytes, as Linux counts it.
 *
 * @param summed of all processes; a page that several share, such as PostgreSQL's buffers, counts for each of them
 * @param shared the same with such a page counted once
 */
public record ResidentMemory(long summed, long shared) {
    private static final long KIBI = 1024;

    /** @throws IOException when a process may not be looked into */
    public static ResidentMemory ofTree(ProcessHandle top) throws IOException {
        long summed = 0;
        long shared = 0;
        for (ProcessHandle process :
                Stream.concat(Stream.of(top), top.descendants()).toList()) {
            List<String> lines = lines(process.pid());
            summed += bytes(lines, "Rss:");
            shared += bytes(lines, "Pss:");
        }
        return new ResidentMemory(summed, shared);
    }

    private static List<String> lines(long pid) throws IOException {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "smaps_rollup"));
        } catch (NoSuchFileException e) {
            // It ended since it was listed.
            return List.of();
        }
    }

    private static long bytes(List<String> lines, String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIBI)
                .sum();
    }
}
