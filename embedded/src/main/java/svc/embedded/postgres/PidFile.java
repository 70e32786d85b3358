package svc.embedded.postgres;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import svc.embedded.process.Orphan;

/**
 * {@code postmaster.pid} in a data folder, also of a server that an earlier process started. The file's lines are PostgreSQL's:
 * process id, data folder, start time, port, socket folder, address, shared memory, state.
 */
record PidFile(Path data) {
    private static final int SHARED_MEMORY_LINE = 6;
    private static final int STATE_LINE = 7;
    /** Begins the title of each process but the first. */
    private static final String CHILD = "postgres: ";

    private static final Duration POLL = Duration.ofMillis(10);

    /** The kernel's list of shared memory, after a line of titles: key, id, permissions, size, two processes, attached. */
    private static final Path SHARED_MEMORY = Path.of("/proc/sysvipc/shm");

    private static final int ATTACHED_COLUMN = 6;

    /** The children of a killed server see its end within a moment, unless they ignore all signals. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** An immediate shutdown kills, after five seconds, the children that have not ended. */
    private static final Duration IMMEDIATE = Duration.ofSeconds(20);

    private static final System.Logger LOG = System.getLogger(PidFile.class.getName());

    /** Whether the server with this process id accepts connections; the file of a killed server may say so too. */
    boolean saysReady(long processId) throws IOException {
        List<String> lines = lines(file());
        return lines.size() > STATE_LINE
                && lines.get(STATE_LINE).strip().equals("ready")
                && lines.get(0).strip().equals(Long.toString(processId));
    }

    /**
     * Stops the server of this folder, if one runs, and returns once it and its child processes are gone. A session that ignores its
     * cancellation is ended: after {@code limit} if the server runs, and after five seconds if it was killed.
     */
    void stopServer(Duration limit) throws IOException, InterruptedException {
        // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client to leave.
        Predicate<ProcessHandle> isOurs = Orphan.runsWith(data.toString());
        if (!Orphan.hasStopped(file(), isOurs, "INT", limit)) {
            LOG.log(WARNING, "PostgreSQL in {0} did not stop within {1}: an immediate shutdown follows", data, limit);
            Orphan.stop(file(), isOurs, "QUIT", IMMEDIATE);
        }
        // The children of a killed server end by themselves, a moment later. The next server does not start before: it
        // finds their shared memory in use.
        if (!awaitFreeMemory(MAX_WAIT)) {
            endChildren();
            if (!awaitFreeMemory(limit)) {
                throw new IOException("processes of a killed server in " + data + " did not end within " + limit);
            }
        }
    }

    private boolean awaitFreeMemory(Duration limit) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(limit);
        while (isMemoryInUse()) {
            if (Instant.now().isAfter(end)) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }

    /**
     * Kills the children of a server that is gone: a query whose function checks for no signal would run on and keep the next server
     * from its start. They change nothing any more that the next server relies on: it recovers from the log.
     */
    private void endChildren() {
        ProcessHandle.allProcesses()
                .filter(Orphan.worksIn(data))
                .filter(Orphan.runsWith(CHILD))
                .forEach(child -> {
                    LOG.log(
                            WARNING,
                            "Ended process {0}, which a killed PostgreSQL server had left in {1}",
                            Long.toString(child.pid()),
                            data);
                    child.destroyForcibly();
                });
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
