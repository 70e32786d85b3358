package svc.embedded.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A part of the control plane that was started. */
record Child(Process process, Path log) {
    private static final int LAST_LINES = 20;

    /** At once, as {@code kill -9} does; returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What it said last. */
    String endOfLog() throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())) + "\n";
    }
}
