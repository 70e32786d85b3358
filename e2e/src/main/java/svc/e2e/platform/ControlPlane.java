package svc.e2e.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Calls of {@code /v1} with the admin's token, and plain calls of anything else the platform serves. */
public final class ControlPlane {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ConnectionFile connection;

    public ControlPlane(ConnectionFile connection) {
        this.connection = connection;
    }

    /** Makes a project and returns what the answer holds under {@code project}. */
    public JsonNode create(String name) throws IOException {
        return post("/projects", Map.of("name", name)).expect(201).json().get("project");
    }

    /** Runs a script as the owner of a project's schema. */
    public Answer query(String ref, String sql) throws IOException {
        return post("/projects/" + ref + "/database/query", Map.of("query", sql));
    }

    public Answer get(String path) throws IOException {
        return send(authorized(path).GET());
    }

    /**
     * Posts JSON under the content type that curl gives a body by itself, because most first calls, and every line of our
     * own README, are made that way.
     */
    public Answer post(String path, Object body) throws IOException {
        return send(authorized(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(new ObjectMapper().writeValueAsString(body))));
    }

    /** Changes what the body names. */
    public Answer patch(String path, String json) throws IOException {
        return send(authorized(path)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(json)));
    }

    /** Puts JSON. */
    public Answer put(String path, Object body) throws IOException {
        return send(authorized(path)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(new ObjectMapper().writeValueAsString(body))));
    }

    /** Sends any request. */
    public static Answer send(HttpRequest.Builder request) throws IOException {
        try {
            return new Answer(CLIENT.send(request.timeout(LIMIT).build(), BodyHandlers.ofString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an answer", e);
        }
    }

    private HttpRequest.Builder authorized(String path) {
        return HttpRequest.newBuilder(URI.create(connection.baseUrl() + path))
                .header("Authorization", "Bearer " + connection.token());
    }
}
