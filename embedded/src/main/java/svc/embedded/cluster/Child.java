package svc.embedded.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A running process of the control plane. */
record Child(Process process, Path log) {
    private static final int LAST_LINES = 20;

    /** Sends SIGKILL; returns when the process has ended. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The last lines of its log. */
    String endOfLog() throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())) + "\n";
    }
}
