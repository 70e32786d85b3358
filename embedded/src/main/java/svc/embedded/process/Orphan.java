package svc.embedded.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * A server that outlived the process that started it, found by its pid file. Process ids are reused, so the caller also says
 * how to recognise its own server.
 */
public final class Orphan {
    private Orphan() {}

    /**
     * Stops the server of a pid file, if it runs, and returns when it has ended.
     *
     * @param pidFile begins with the process id on a line of its own; may be missing
     * @param isOurs whether a running process is the server meant
     * @param signal that asks it to stop, such as {@code INT}
     * @throws IOException if it does not stop within {@code limit}
     */
    public static void stop(Path pidFile, Predicate<ProcessHandle> isOurs, String signal, Duration limit)
            throws IOException, InterruptedException {
        Optional<ProcessHandle> running = find(pidFile, isOurs);
        if (running.isEmpty()) {
            return;
        }
        stop(running.get(), signal, limit);
    }

    /** As {@link #stop}, and leaves a server running that does not stop within {@code limit}: whether it has ended. */
    public static boolean hasStopped(Path pidFile, Predicate<ProcessHandle> isOurs, String signal, Duration limit)
            throws IOException, InterruptedException {
        Optional<ProcessHandle> running = find(pidFile, isOurs);
        return running.isEmpty() || ends(running.get(), signal, limit);
    }

    private static void stop(ProcessHandle server, String signal, Duration limit)
            throws IOException, InterruptedException {
        if (!ends(server, signal, limit)) {
            server.destroyForcibly();
            throw new IOException("process " + server.pid() + ", left by an earlier run, did not stop within " + limit);
        }
    }

    private static boolean ends(ProcessHandle server, String signal, Duration limit)
            throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + server.pid())
                .start()
                .waitFor();
        try {
            server.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("while waiting for process " + server.pid() + " to stop", e);
        }
    }

    /**
     * Stops every process that is recognised, and returns once they are gone.
     *
     * @param signal that asks them to stop, such as {@code KILL}
     * @throws IOException if one does not stop within {@code limit}
     */
    public static void stopAll(Predicate<ProcessHandle> isOurs, String signal, Duration limit)
            throws IOException, InterruptedException {
        for (ProcessHandle process : ProcessHandle.allProcesses().filter(isOurs).toList()) {
            stop(process, signal, limit);
        }
    }

    /** Recognises a process by a text in its command line. */
    public static Predicate<ProcessHandle> runsWith(String text) {
        return process -> {
            try {
                return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                        .contains(text);
            } catch (IOException e) {
                return false;
            }
        };
    }

    /** Recognises a process by the folder it works in. */
    public static Predicate<ProcessHandle> worksIn(Path folder) {
        return process -> {
            try {
                return Files.isSameFile(Path.of("/proc", Long.toString(process.pid()), "cwd"), folder);
            } catch (IOException e) {
                return false;
            }
        };
    }

    private static Optional<ProcessHandle> find(Path pidFile, Predicate<ProcessHandle> isOurs) throws IOException {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(pidFile);
        if (lines.isEmpty() || !lines.get(0).strip().matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
                .filter(ProcessHandle::isAlive)
                .filter(isOurs);
    }
}
