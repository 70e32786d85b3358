package svc.management.function.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.sqlgate.parser.SandboxHome;

/**
 * One child process that bundles functions, one after the other. It runs no code of theirs. Used from one thread at a
 * time; {@link #kill()} may come from any.
 */
final class BundlerProcess {
    private static final Path PROGRAM = Path.of("build", "bundler.js");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWER_BYTES = 64 << 20;
    private static final int HEAP_MEGABYTES = 384;

    /**
     * The engine's quick compiler alone for the compiler's 12 MB of WebAssembly. Optimizing it takes as much processor time
     * as all of the start, and 70 MB; it pays for itself after some megabytes of source, and most functions have a few
     * kilobytes.
     */
    private static final String QUICK_COMPILER = "--liftoff-only";

    private final Process process;
    private final DataOutputStream requests;
    private final DataInputStream answers;

    private BundlerProcess(Process process) {
        this.process = process;
        this.requests = new DataOutputStream(process.getOutputStream());
        this.answers = new DataInputStream(process.getInputStream());
    }

    /**
     * Starts a process; it is not ready before {@link #awaitReady()} returns.
     *
     * @param scratch the process's working directory and its runtime's cache; holds nothing of a function
     */
    static BundlerProcess start(SandboxHome home, RegistryPolicy policy, Path scratch) throws IOException {
        Path program = home.folder().resolve(PROGRAM);
        if (!Files.isRegularFile(program)) {
            throw new IOException("the sandbox has no " + PROGRAM + ": run ./svc build");
        }
        List<String> command = new ArrayList<>(List.of(
                home.runtime().toString(),
                "run",
                "--no-prompt",
                "--no-remote",
                "--no-npm",
                "--no-config",
                "--no-lock",
                "--cached-only",
                "--v8-flags=--max-old-space-size=" + HEAP_MEGABYTES + "," + QUICK_COMPILER));
        command.addAll(policy.permissions());
        command.add(program.toString());
        command.add(JSON.writeValueAsString(policy.json()));
        var builder = new ProcessBuilder(command);
        // Nothing of our own environment: it holds the platform's secrets.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("DENO_DIR", scratch.toString());
        environment.put("DENO_NO_UPDATE_CHECK", "1");
        environment.put("NO_COLOR", "1");
        // A registry of one's own, or a proxy before the public ones, may have a certificate that only this machine
        // knows.
        environment.put("DENO_TLS_CA_STORE", "mozilla,system");
        return new BundlerProcess(builder.directory(scratch.toFile())
                .redirectError(scratch.resolve("bundler.err").toFile())
                .start());
    }

    /** Waits for the first frame, which the program sends unasked. */
    void awaitReady() throws IOException {
        readAnswer();
    }

    /** @throws IOException when the process ends or answers something else; it must not be used again */
    JsonNode exchange(Map<String, Object> job) throws IOException {
        byte[] content = JSON.writeValueAsBytes(job);
        requests.writeInt(content.length);
        requests.write(content);
        requests.flush();
        return readAnswer();
    }

    private JsonNode readAnswer() throws IOException {
        int length = answers.readInt();
        if (length < 0 || length > ANSWER_BYTES) {
            throw new IOException("the bundler sends a frame of " + length + " bytes");
        }
        byte[] json = answers.readNBytes(length);
        if (json.length < length) {
            throw new EOFException("the bundler ended inside an answer");
        }
        return JSON.readTree(json);
    }

    Process process() {
        return process;
    }

    void kill() {
        process.destroyForcibly();
    }
}
