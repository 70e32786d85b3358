package svc.bench.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import svc.bench.measure.BenchDatabase;
import svc.bench.measure.Exchange;
import svc.bench.measure.Figure;
import svc.bench.measure.Measured;
import svc.bench.measure.PeerServer;
import svc.bench.measure.Tool;
import svc.bench.measure.Wrk;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.embedded.process.Folders;

/** Projects of one platform, and the load on their REST APIs. */
final class RestProjects {
    /** Of the load. */
    static final int CONNECTIONS = 32;

    /** Of one run. */
    static final int SECONDS = 3;

    private static final String PREFIX = "/rest/v1";

    private final Platform platform;
    private final Wrk load;
    private final URI gateway;

    RestProjects(Platform platform, Wrk load) {
        this.platform = platform;
        this.load = load;
        this.gateway = URI.create(platform.connection().baseUrl()).resolve("/");
    }

    /** What is measured on a platform that is there for nothing else. */
    @FunctionalInterface
    interface Work {
        /** @param folder for what it needs meanwhile */
        List<Figure> measure(Platform platform, RestProjects projects, Path folder) throws Exception;
    }

    /** Starts a platform for the work, and stops it after it. */
    static List<Figure> measure(Tool wrk, Work work) throws Exception {
        Path data = Files.createTempDirectory("svc-bench-");
        Path folder = Files.createTempDirectory("svc-bench-load-");
        // As on a cluster: one machine's functions need event loops that cannot drive database sessions.
        var command = PlatformCommand.onFreePorts(data).with("-Dquarkus.vertx.prefer-native-transport=false");
        try (Platform platform = Platform.start(command)) {
            var load = new Wrk(wrk, folder, CONNECTIONS, SECONDS);
            return work.measure(platform, new RestProjects(platform, load), folder);
        } finally {
            Folders.deleteRecursively(data);
            Folders.deleteRecursively(folder);
        }
    }

    /** A new project on which the script has run. */
    JsonNode create(String script) throws IOException {
        JsonNode project = platform.controlPlane().create("bench");
        platform.controlPlane().query(project.get("ref").asText(), script).expect(201);
        return project;
    }

    /** A list of callers, one with the anon key of each project. */
    Path callers(String name, List<JsonNode> projects) throws IOException {
        return load.callers(
                name,
                projects.stream()
                        .map(project -> List.of("Host: " + host(project), "apikey: " + key(project)))
                        .toList());
    }

    Measured run(Path callers, Exchange exchange) throws IOException {
        return load.run(gateway, PREFIX, callers, exchange);
    }

    /** @param exchange whose target is the whole path */
    Measured runWhole(Path callers, Exchange exchange) throws IOException {
        return load.run(gateway, "", callers, exchange);
    }

    Measured runPeer(PeerServer peer, Exchange exchange) throws IOException {
        Path callers =
                load.callers("peer", List.of(List.of("Host: " + peer.url().getAuthority())));
        return load.run(peer.url(), "", callers, exchange);
    }

    BenchDatabase database() throws IOException {
        return BenchDatabase.of(platform);
    }

    /** What differs between the two answers to one request; a comparison of unequal answers would say nothing. */
    Optional<String> difference(JsonNode project, PeerServer peer, Exchange exchange) throws IOException {
        Exchange one = exchange.withKey(7);
        Answer ours = send(project, PREFIX, one);
        Answer theirs = send(peer, one);
        boolean same = ours.status() == theirs.status()
                && ours.response().body().equals(theirs.response().body());
        return same ? Optional.empty() : Optional.of(ours + " and " + theirs);
    }

    /** One request to a project, with its anon key. */
    Answer send(JsonNode project, String prefix, Exchange one) throws IOException {
        URI path = URI.create(platform.connection().pathUrl(project.get("ref").asText()));
        return send(path.resolve(path.getPath() + prefix + one.target()), one, key(project));
    }

    static Answer send(PeerServer peer, Exchange one) throws IOException {
        return send(peer.url().resolve(one.target()), one, "");
    }

    private static Answer send(URI address, Exchange one, String key) throws IOException {
        BodyPublisher body = one.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody);
        return ControlPlane.send(HttpRequest.newBuilder(address)
                .method(one.method(), body)
                .header("Content-Type", "application/json")
                .header("apikey", key));
    }

    private String host(JsonNode project) {
        return URI.create(platform.connection().dataUrl(project.get("ref").asText()))
                .getAuthority();
    }

    private static String key(JsonNode project) {
        return project.get("anon_key").asText();
    }
}
