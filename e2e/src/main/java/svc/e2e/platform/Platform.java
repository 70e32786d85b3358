package svc.e2e.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A platform that runs as a child process. It dies with this process, however its user forgets it; its data folder is the
 * caller's to remove.
 */
public final class Platform implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(20);

    private final Path data;
    private final Process process;
    private final Thread onExit;
    private final ConnectionFile connection;

    private Platform(PlatformCommand command) throws IOException {
        this.data = command.data();
        // The file of a run that was killed would look like the answer of this one.
        Files.deleteIfExists(data.resolve(ConnectionFile.NAME));
        Path log = data.resolve("svc.log");
        this.process = new ProcessBuilder(command.words())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        this.onExit = new Thread(process::destroy, "stop-platform");
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            awaitConnection(log);
            this.connection = ConnectionFile.read(data);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts it on the folder, which must exist; returns when it takes requests.
     *
     * @throws IOException with its log when it ends or does not become ready
     */
    public static Platform start(PlatformCommand command) throws IOException {
        return new Platform(command);
    }

    /** What it says of itself. */
    public ConnectionFile connection() {
        return connection;
    }

    /** The folder that keeps everything of it. */
    public Path data() {
        return data;
    }

    /** Its control plane, called as the admin. */
    public ControlPlane controlPlane() {
        return new ControlPlane(connection);
    }

    /** The process, and through it its children. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Ends it as a power cut would, as far as it is concerned: its children get no word of it. */
    public void kill() {
        process.destroyForcibly();
        await(STOP_LIMIT);
        forgetHook();
    }

    /** Stops it in order; kills it when that takes longer than a minute. */
    @Override
    public void close() {
        process.destroy();
        if (!await(STOP_LIMIT)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        forgetHook();
    }

    private void awaitConnection(Path log) throws IOException {
        long limit = System.nanoTime() + START_LIMIT.toNanos();
        while (!Files.exists(data.resolve(ConnectionFile.NAME))) {
            if (await(POLL)) {
                throw new IOException("the platform ended with " + process.exitValue() + ":\n" + Files.readString(log));
            }
            if (System.nanoTime() > limit) {
                throw new IOException(
                        "the platform was not ready within " + START_LIMIT + ":\n" + Files.readString(log));
            }
        }
    }

    /** Whether it has ended within that time. */
    private boolean await(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException e) {
            // This process is ending already: the hook does what is left to do.
        }
    }
}
