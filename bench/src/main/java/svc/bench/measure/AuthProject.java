package svc.bench.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;

/**
 * The auth service of one project, called with one of its keys.
 *
 * @param host of its data plane, as requests name it
 * @param url of the service
 */
public record AuthProject(String ref, String host, String url, String key) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What was set a moment ago reaches the data plane by a watch. */
    private static final Duration SETTINGS_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** A new project, called with its anon key. */
    public static AuthProject create(Platform platform) throws IOException {
        JsonNode made = platform.controlPlane().create("bench");
        String ref = made.get("ref").asText();
        return new AuthProject(
                ref,
                URI.create(platform.connection().dataUrl(ref)).getAuthority(),
                platform.connection().pathUrl(ref) + "/auth/v1",
                made.get("anon_key").asText());
    }

    public AuthProject withServiceKey(Platform platform) throws IOException {
        JsonNode keys = platform.controlPlane()
                .get("/projects/" + ref + "/api-keys?reveal=true")
                .expect(200)
                .json();
        String service = keys.findValuesAsText("api_key").stream()
                .filter(text -> text.startsWith("svc_service_"))
                .findFirst()
                .orElseThrow();
        return new AuthProject(ref, host, url, service);
    }

    /** Returns when the project's settings are in force, of which anonymous sign-in is one. */
    public void awaitAnonymousSignIn() throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTINGS_TIMEOUT.toNanos();
        while (post("/signup", Map.of()).status() != 200) {
            if (System.nanoTime() > end) {
                throw new IOException("the settings of a project are not active after " + SETTINGS_TIMEOUT);
            }
            Thread.sleep(PAUSE);
        }
    }

    public JsonNode anonymous() throws IOException {
        return post("/signup", Map.of()).expect(200).json();
    }

    public JsonNode signUp(String email, String password) throws IOException {
        return post("/signup", Map.of("email", email, "password", password))
                .expect(200)
                .json();
    }

    public JsonNode signIn(String email, String password) throws IOException {
        return post("/token?grant_type=password", Map.of("email", email, "password", password))
                .expect(200)
                .json();
    }

    /** With the service-role key: a user of another place, with the hash that it has there. */
    public JsonNode imported(String email, String hash) throws IOException {
        return post("/admin/users", Map.of("email", email, "email_confirm", true, "password_hash", hash))
                .expect(200)
                .json();
    }

    /** With the service-role key: a user without a password. */
    public JsonNode madeUser(String email) throws IOException {
        return post("/admin/users", Map.of("email", email, "email_confirm", true))
                .expect(200)
                .json();
    }

    private Answer post(String path, Object body) throws IOException {
        return ControlPlane.send(HttpRequest.newBuilder(URI.create(url + path))
                .header("apikey", key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }
}
