package svc.management.function.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import svc.platform.process.ChildProcess;
import svc.platform.process.PooledProcess;
import svc.platform.process.SandboxHome;
import svc.platform.process.SandboxProgram;

/** A child process that bundles functions, one after the other. It runs no code of theirs. */
final class BundlerProcess implements PooledProcess {
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

    /**
     * A registry of one's own, or a proxy before the public ones, may have a certificate that only this machine knows.
     */
    private static final Map<String, String> CERTIFICATES = Map.of("DENO_TLS_CA_STORE", "mozilla,system");

    private final ChildProcess child;

    private BundlerProcess(ChildProcess child) {
        this.child = child;
    }

    /** @param scratch the process's working directory and its runtime's cache; holds nothing of a function */
    static BundlerProcess launch(SandboxHome home, RegistryPolicy policy, Path scratch) throws IOException {
        var program = new SandboxProgram(
                PROGRAM,
                List.of("--max-old-space-size=" + HEAP_MEGABYTES, QUICK_COMPILER),
                policy.permissions(),
                List.of(JSON.writeValueAsString(policy.json())),
                CERTIFICATES);
        return new BundlerProcess(program.start(home, scratch));
    }

    @Override
    public ChildProcess child() {
        return child;
    }

    /** Waits for the first frame, which the program sends unasked. */
    @Override
    public void awaitReady() throws IOException {
        readAnswer();
    }

    /** @throws IOException when the process ends or answers something else; it must not be used again */
    JsonNode exchange(Map<String, Object> job) throws IOException {
        byte[] content = JSON.writeValueAsBytes(job);
        child.requests().writeInt(content.length);
        child.requests().write(content);
        child.requests().flush();
        return readAnswer();
    }

    private JsonNode readAnswer() throws IOException {
        DataInputStream answers = child.answers();
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
}
