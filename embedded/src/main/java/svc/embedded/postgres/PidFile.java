package svc.embedded.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import svc.embedded.process.Orphan;

/**
 * {@code postmaster.pid} in a data folder, also of a server that an earlier process started. The file's lines are PostgreSQL's:
 * process id, data folder, start time, port, socket folder, address, shared memory, state.
 */
record PidFile(Path data) {
    private static final int STATE_LINE = 7;

    /** Whether the server with this process id accepts connections; the file of a killed server may say so too. */
    boolean saysReady(long processId) throws IOException {
        List<String> lines = lines();
        return lines.size() > STATE_LINE
                && lines.get(STATE_LINE).strip().equals("ready")
                && lines.get(0).strip().equals(Long.toString(processId));
    }

    /** Stops the server of this folder, if one runs, and returns once it is gone. */
    void stopServer(Duration limit) throws IOException, InterruptedException {
        // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client to leave.
        Orphan.stop(file(), Orphan.runsWith(data.toString()), "INT", limit);
    }

    /** Stops the server of throw-away data: an immediate shutdown without a checkpoint. */
    void dropServer(Duration limit) throws IOException, InterruptedException {
        Orphan.stop(file(), Orphan.runsWith(data.toString()), "QUIT", limit);
    }

    private Path file() {
        return data.resolve("postmaster.pid");
    }

    private List<String> lines() throws IOException {
        try {
            return Files.readAllLines(file());
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
