package svc.embedded.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The server that {@code postmaster.pid} in a data folder speaks of, whoever started it. The file's lines are
 * PostgreSQL's: process id, data folder, start time, port, socket folder, address, shared memory, state.
 */
final class StaleServer {
    private static final int STATE_LINE = 7;

    private StaleServer() {}

    /** Whether this very server process says that it takes connections; a killed one's file may say so too. */
    static boolean isReady(Path data, long processId) throws IOException {
        List<String> lines = pidFile(data);
        return lines.size() > STATE_LINE
                && lines.get(STATE_LINE).strip().equals("ready")
                && lines.get(0).strip().equals(Long.toString(processId));
    }

    /** Stops the server of this folder, if one runs, and returns once it is gone. */
    static void stop(Path data, Duration limit) throws IOException, InterruptedException {
        Optional<ProcessHandle> running = running(data);
        if (running.isEmpty()) {
            return;
        }
        ProcessHandle server = running.get();
        // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client to leave.
        new ProcessBuilder("sh", "-c", "kill -INT " + server.pid()).start().waitFor();
        try {
            server.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            server.destroyForcibly();
            throw new IOException("PostgreSQL (process " + server.pid() + ") did not stop within " + limit, e);
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IOException("while waiting for PostgreSQL to stop", e);
        }
    }

    private static Optional<ProcessHandle> running(Path data) throws IOException {
        List<String> lines = pidFile(data);
        if (lines.size() < 2) {
            return Optional.empty();
        }
        // After a reboot the number may belong to somebody else: the command line has to name this very folder.
        return ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
                .filter(ProcessHandle::isAlive)
                .filter(handle -> runsOn(handle, data));
    }

    private static boolean runsOn(ProcessHandle handle, Path data) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(handle.pid()), "cmdline"))
                    .contains(data.toString());
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> pidFile(Path data) throws IOException {
        try {
            return Files.readAllLines(data.resolve("postmaster.pid"));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
