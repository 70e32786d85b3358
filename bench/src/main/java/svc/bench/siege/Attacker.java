package svc.bench.siege;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/**
 * A project from which attacks come, and the requests that a client with its anon key can send.
 *
 * @param project as the Management API describes it
 */
record Attacker(Platform platform, JsonNode project) {
    static Attacker create(Platform platform, String name) throws IOException {
        return new Attacker(platform, platform.controlPlane().create(name));
    }

    String ref() {
        return project.get("ref").asText();
    }

    String anonKey() {
        return project.get("anon_key").asText();
    }

    URI gateway() {
        return URI.create(platform.connection().baseUrl()).resolve("/");
    }

    /** A request of the data plane with the anon key. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(ref()) + path))
                .header("apikey", anonKey())
                .header("Content-Type", "application/json");
    }

    /** A call of the Management API about the project, with the admin's token. */
    HttpRequest.Builder management(String path, Map<String, String> body) {
        try {
            return HttpRequest.newBuilder(URI.create(platform.connection().baseUrl() + "/projects/" + ref() + path))
                    .header("Authorization", "Bearer " + platform.connection().token())
                    .POST(BodyPublishers.ofString(new ObjectMapper().writeValueAsString(body)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON", e);
        }
    }

    /** The head of a request of the data plane with the anon key, for a connection that the attacker holds. */
    String head(String method, String path, String headers) {
        return anonymousHead(method, path, "apikey: " + anonKey() + "\r\n" + headers);
    }

    /** The head of a request without a credential. */
    String anonymousHead(String method, String path, String headers) {
        URI target = URI.create(platform.connection().pathUrl(ref()) + path);
        return method + " " + target.getRawPath() + " HTTP/1.1\r\nHost: "
                + gateway().getAuthority() + "\r\n" + headers + "\r\n";
    }

    /** Opens connections that send a head and so much of a body, and stay. */
    AutoCloseable hold(int count, String head, int bodyBytes) {
        var connections = new HeldConnections(gateway());
        ExecutorService thread = Executors.newSingleThreadExecutor();
        thread.execute(() -> IntStream.range(0, count).forEach(i -> connections.open(head, bodyBytes)));
        return () -> {
            thread.shutdownNow();
            connections.close();
        };
    }

    @FunctionalInterface
    interface Call {
        HttpRequest.Builder request(int number);
    }

    /** Sends all of them, so many at once; ends without waiting for those that are under way. */
    static AutoCloseable flood(int count, int atOnce, Call call) {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        IntStream.range(0, count)
                .forEach(number -> threads.execute(() -> {
                    try {
                        ControlPlane.send(call.request(number));
                    } catch (IOException e) {
                        // Refused: the platform's defence.
                    }
                }));
        return threads::shutdownNow;
    }
}
