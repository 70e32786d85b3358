package svc.sqlgate.parser;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One child process that reads SQL. Its owner uses it from one thread at a time; {@link #kill()} may come from any thread
 * and ends whatever waits for an answer.
 */
final class ParserProcess {
    private static final int REQUEST_HEAD = 4;
    private static final int ANSWER_HEAD = 4;
    private static final long PAGE_BYTES = 4096;

    private final Process process;
    private final DataOutputStream requests;
    private final DataInputStream answers;
    private final int answerBytes;
    private int lastNumber;

    private ParserProcess(Process process, int answerBytes) {
        this.process = process;
        this.requests = new DataOutputStream(process.getOutputStream());
        this.answers = new DataInputStream(process.getInputStream());
        this.answerBytes = answerBytes;
    }

    /**
     * Starts a process; it is not ready before {@link #awaitReady()} returns.
     *
     * @param scratch a folder of the pool: the process's working directory and its runtime's cache
     */
    static ParserProcess start(SandboxHome home, ParserLimits limits, Path scratch) throws IOException {
        var builder = new ProcessBuilder(List.of(
                home.runtime().toString(),
                "run",
                "--no-prompt",
                "--no-remote",
                "--no-npm",
                "--no-config",
                "--no-lock",
                "--cached-only",
                "--v8-flags=--max-old-space-size=" + limits.heapMegabytes(),
                home.parser().toString()));
        // Nothing of our own environment: it holds the platform's secrets.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("DENO_DIR", scratch.toString());
        environment.put("DENO_NO_UPDATE_CHECK", "1");
        environment.put("NO_COLOR", "1");
        Process process = builder.directory(scratch.toFile())
                .redirectError(scratch.resolve("parser.err").toFile())
                .start();
        return new ParserProcess(process, limits.answerBytes());
    }

    /** Waits for the first frame, which the program sends unasked. */
    void awaitReady() throws IOException {
        readAnswer(0);
    }

    /**
     * Sends one request and waits for its answer.
     *
     * @param content questions in the form of {@code parse/frame.ts}
     * @return JSON in UTF-8
     * @throws IOException when the process ends or answers something else; it must not be used again
     */
    byte[] exchange(byte[] content) throws IOException {
        int number = ++lastNumber;
        requests.writeInt(REQUEST_HEAD + content.length);
        requests.writeInt(number);
        requests.write(content);
        requests.flush();
        return readAnswer(number);
    }

    /**
     * Tells the process that what it has read so far is over. It answers nothing.
     *
     * @throws IOException when the process has ended
     */
    void forget() throws IOException {
        requests.writeInt(REQUEST_HEAD);
        requests.writeInt(++lastNumber);
        requests.flush();
    }

    private byte[] readAnswer(int expected) throws IOException {
        int length = answers.readInt();
        if (length < ANSWER_HEAD || length > ANSWER_HEAD + answerBytes) {
            throw new IOException("the parser sends a frame of " + length + " bytes");
        }
        int number = answers.readInt();
        if (number != expected) {
            throw new IOException("the parser answers request " + number + " instead of " + expected);
        }
        // In as few reads as the pipe allows; its length is capped above.
        byte[] json = new byte[length - ANSWER_HEAD];
        answers.readFully(json);
        return json;
    }

    boolean isAlive() {
        // The handle asks the kernel; Process itself learns of a death only when its reaper thread has run.
        return process.toHandle().isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Memory that the process holds, in bytes; 0 once it has ended. */
    long residentBytes() {
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

    void kill() {
        process.destroyForcibly();
    }
}
