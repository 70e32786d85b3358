package svc.embedded.pods;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import svc.embedded.kubernetes.log.PodLog;

/** One process of a function, from its start to its end. */
final class FunctionProcess {
    private static final int KILLED = 137;
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final Process process;
    private final List<Path> groups;
    private final CountDownLatch silent = new CountDownLatch(1);
    private volatile boolean outOfMemory;

    /** Callbacks of a process, from its own threads. */
    interface Listener {
        /** It takes requests. */
        void ready();

        /** It has ended. */
        void ended(End end);
    }

    /**
     * How a process ended.
     *
     * @param code 128 and the number of the signal where one ended it
     * @param reason in Kubernetes' words
     */
    record End(int code, String reason) {
        private static final String OUT_OF_MEMORY = "OOMKilled";

        boolean isForMemory() {
            return reason.equals(OUT_OF_MEMORY);
        }
    }

    private FunctionProcess(Process process, List<Path> groups) {
        this.process = process;
        this.groups = groups;
    }

    /**
     * Starts a process.
     *
     * @param command with all that confines it
     * @param environment the whole of it: nothing of ours is passed on
     * @param groups the control groups that it is to join
     * @param key by which the runner marks its own lines
     */
    static FunctionProcess start(
            List<String> command,
            Map<String, String> environment,
            Path folder,
            List<Path> groups,
            String key,
            PodLog log,
            Listener listener)
            throws IOException {
        var builder = new ProcessBuilder(joining(groups, command));
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process =
                builder.directory(folder.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var started = new FunctionProcess(process, groups);
        var reader = new OutputReader(key, log, line -> started.own(line, listener), started::foreign);
        Thread.ofPlatform().daemon().name("function-" + process.pid()).start(() -> {
            try {
                reader.read(process.getInputStream());
            } finally {
                started.silent.countDown();
            }
        });
        Thread.ofVirtual().name("await-function").start(() -> {
            try {
                process.waitFor();
                started.awaitLastWords();
                listener.ended(started.end());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return started;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    List<Path> groups() {
        return groups;
    }

    /** Marks the process as killed for exceeding its memory limit. */
    void blameMemory() {
        outOfMemory = true;
    }

    /**
     * Sends SIGTERM after a delay, and SIGKILL after the grace period; calls back when the process has ended.
     *
     * @param leaving the delay before SIGTERM
     * @param grace for all of it
     */
    void stop(Duration leaving, Duration grace, Runnable gone) {
        Thread.ofVirtual().name("stop-function").start(() -> {
            try {
                if (!endsWithin(leaving)) {
                    // Not Process.destroy: it closes the output, and the last lines would be lost.
                    process.toHandle().destroy();
                    if (!endsWithin(grace.minus(leaving))) {
                        process.toHandle().destroyForcibly();
                        process.waitFor();
                    }
                }
                awaitLastWords();
                gone.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Output is read before the exit is reported, which ends the log. A child process may hold the pipe open. */
    private void awaitLastWords() throws InterruptedException {
        silent.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean endsWithin(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private End end() {
        int code = process.exitValue();
        if (outOfMemory || code == KILLED) {
            return new End(code, End.OUT_OF_MEMORY);
        }
        return new End(code, code == 0 ? "Completed" : "Error");
    }

    private void own(JsonNode line, Listener listener) {
        if (line.path("event").asText().equals("boot")
                && line.path("message").asText().equals("ready")) {
            listener.ready();
        }
    }

    private void foreign(String text) {
        // The last output of V8 when it is out of memory. A function may print the same text, and is then reported so.
        if (text.contains("JavaScript out of memory") || text.contains("heap out of memory")) {
            outOfMemory = true;
        }
    }

    /** A process joins its control group before exec: the program never runs outside of it. */
    private static List<String> joining(List<Path> groups, List<String> command) {
        List<Path> there = groups.stream().filter(Files::exists).toList();
        if (there.isEmpty()) {
            return command;
        }
        var script = new StringBuilder();
        there.forEach(file -> script.append("echo $$ > '").append(file).append("' && "));
        var whole = new ArrayList<>(List.of("/bin/sh", "-c", script + "exec \"$@\"", "sh"));
        whole.addAll(command);
        return whole;
    }
}
