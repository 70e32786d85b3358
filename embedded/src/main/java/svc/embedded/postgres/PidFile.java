package svc.embedded.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import svc.embedded.process.Orphan;

/**
 * {@code postmaster.pid} in a data folder, also of a server that an earlier process started. The file's lines are PostgreSQL's:
 * process id, data folder, start time, port, socket folder, address, shared memory, state.
 */
record PidFile(Path data) {
    private static final int SHARED_MEMORY_LINE = 6;
    private static final int STATE_LINE = 7;
    private static final Duration POLL = Duration.ofMillis(10);

    /** The kernel's list of shared memory, after a line of titles: key, id, permissions, size, two processes, attached. */
    private static final Path SHARED_MEMORY = Path.of("/proc/sysvipc/shm");

    private static final int ATTACHED_COLUMN = 6;

    /** Whether the server with this process id accepts connections; the file of a killed server may say so too. */
    boolean saysReady(long processId) throws IOException {
        List<String> lines = lines(file());
        return lines.size() > STATE_LINE
                && lines.get(STATE_LINE).strip().equals("ready")
                && lines.get(0).strip().equals(Long.toString(processId));
    }

    /** Stops the server of this folder, if one runs, and returns once it and its child processes are gone. */
    void stopServer(Duration limit) throws IOException, InterruptedException {
        // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client to leave.
        Orphan.stop(file(), Orphan.runsWith(data.toString()), "INT", limit);
        // The children of a killed server end by themselves, a moment later. The next server does not start before: it
        // finds their shared memory in use.
        Instant end = Instant.now().plus(limit);
        while (isMemoryInUse()) {
            if (Instant.now().isAfter(end)) {
                throw new IOException("processes of a killed server in " + data + " did not end within " + limit);
            }
            Thread.sleep(POLL);
        }
    }

    /** Stops the server of throw-away data: an immediate shutdown without a checkpoint. */
    void dropServer(Duration limit) throws IOException, InterruptedException {
        Orphan.stop(file(), Orphan.runsWith(data.toString()), "QUIT", limit);
    }

    private boolean isMemoryInUse() throws IOException {
        List<String> lines = lines(file());
        if (lines.size() <= SHARED_MEMORY_LINE) {
            return false;
        }
        String[] memory = columns(lines.get(SHARED_MEMORY_LINE));
        return memory.length == 2
                && lines(SHARED_MEMORY).stream()
                        .skip(1)
                        .map(PidFile::columns)
                        .filter(segment -> segment.length > ATTACHED_COLUMN && segment[1].equals(memory[1]))
                        // The kernel writes the key with a sign.
                        .filter(segment -> Integer.parseInt(segment[0]) == (int) Long.parseUnsignedLong(memory[0]))
                        .anyMatch(segment -> !segment[ATTACHED_COLUMN].equals("0"));
    }

    private static String[] columns(String line) {
        return line.strip().split("\\s+");
    }

    private Path file() {
        return data.resolve("postmaster.pid");
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
