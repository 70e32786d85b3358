package svc.bench.siege;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import svc.e2e.platform.Answer;
import svc.e2e.platform.Platform;

/**
 * An organisation with its token, whose calls come from an address of its own: the platform limits connections by address.
 *
 * @param token with all rights in the organisation
 */
record Tenant(Platform platform, String token, HttpClient client) {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The organisation that the platform begins with. */
    static Tenant first(Platform platform, String address) throws IOException {
        return new Tenant(
                platform,
                platform.connection().token(),
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .localAddress(InetAddress.getByName(address))
                        .build());
    }

    /** A new one. */
    static Tenant create(Platform platform, String slug, String address) throws IOException {
        String token = platform.controlPlane()
                .post("/organizations", Map.of("slug", slug, "name", slug))
                .expect(201)
                .json()
                .at("/token/token")
                .asText();
        return new Tenant(platform, token, first(platform, address).client());
    }

    /** A new project as the Management API describes it; it is ready. */
    JsonNode project(String name) throws IOException {
        JsonNode project = send(management("/projects").POST(json(Map.of("name", name))))
                .expect(201)
                .json()
                .get("project");
        send(management("/projects/" + ref(project) + "?wait=ready&timeout_ms=30000")
                        .GET())
                .expect(200);
        return project;
    }

    /** A project that something else has made. */
    JsonNode described(String ref) throws IOException {
        return send(management("/projects/" + ref).GET()).expect(200).json();
    }

    Answer query(JsonNode project, String sql) throws IOException {
        return send(management("/projects/" + ref(project) + "/database/query").POST(json(Map.of("query", sql))));
    }

    Answer settings(JsonNode project, String json) throws IOException {
        return send(management("/projects/" + ref(project)).method("PATCH", BodyPublishers.ofString(json)));
    }

    Answer delete(JsonNode project) throws IOException {
        return send(management("/projects/" + ref(project)).DELETE());
    }

    /** A request of the project's data plane with its anon key. */
    HttpRequest.Builder data(JsonNode project, String path) {
        return HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(ref(project)) + path))
                .header("apikey", project.get("anon_key").asText())
                .header("Content-Type", "application/json");
    }

    Answer post(JsonNode project, String path, Object body) throws IOException {
        return send(data(project, path).POST(json(body)));
    }

    Answer send(HttpRequest.Builder request) throws IOException {
        try {
            return new Answer(client.send(request.timeout(LIMIT).build(), BodyHandlers.ofString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an answer", e);
        }
    }

    static String ref(JsonNode project) {
        return project.get("ref").asText();
    }

    private HttpRequest.Builder management(String path) {
        return HttpRequest.newBuilder(URI.create(platform.connection().baseUrl() + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
    }

    private static HttpRequest.BodyPublisher json(Object body) throws IOException {
        return BodyPublishers.ofString(JSON.writeValueAsString(body));
    }
}
