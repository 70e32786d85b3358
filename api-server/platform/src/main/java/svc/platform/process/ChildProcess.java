package svc.platform.process;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A child process of this one. Its streams are used from one thread at a time; {@link #kill()} may come from any thread
 * and ends whatever waits for an answer.
 */
public final class ChildProcess {
    private static final long PAGE_BYTES = 4096;

    private final Process process;
    private final DataOutputStream requests;
    private final DataInputStream answers;

    private ChildProcess(Process process) {
        this.process = process;
        this.requests = new DataOutputStream(process.getOutputStream());
        this.answers = new DataInputStream(process.getInputStream());
    }

    /** Starts a process with exactly the environment that the builder has. */
    public static ChildProcess start(ProcessBuilder builder) throws IOException {
        return new ChildProcess(builder.start());
    }

    /** The process's standard input. */
    public DataOutputStream requests() {
        return requests;
    }

    /** The process's standard output. */
    public DataInputStream answers() {
        return answers;
    }

    /** Waits for the end of the process and returns its exit code. */
    public int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    public boolean isAlive() {
        // The handle asks the kernel; Process itself learns of a death only when its reaper thread has run.
        return process.toHandle().isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Memory that the process holds, in bytes; 0 once it has ended. */
    public long residentBytes() {
        try {
            String[] pages = Files.readString(Path.of("/proc", Long.toString(pid()), "statm"))
                    .split(" ");
            return Long.parseLong(pages[1]) * PAGE_BYTES;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Processor time that the process has used, of all its threads; nothing once it has ended. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public void kill() {
        process.destroyForcibly();
    }
}
