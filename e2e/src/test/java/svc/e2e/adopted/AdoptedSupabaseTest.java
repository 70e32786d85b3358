package svc.e2e.adopted;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.ServerDatabase;
import svc.e2e.running.SharedPlatform;

/**
 * A second database, laid out as Supabase lays out its own, is adopted with {@code kubectl apply}: its old keys and its
 * users' old tokens serve an unchanged supabase-js, and its settings change while it runs.
 */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdoptedSupabaseTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "super-secret-jwt-token-with-at-least-32-characters";
    private static final int CHECKS = 11;

    private static final String MANIFEST = """
            apiVersion: v1
            kind: Secret
            metadata: { name: supabase-database }
            stringData:
              host: 127.0.0.1
              port: "%s"
              dbname: supabase
              user: authenticator
              password: its-old-password
              sslmode: disable
              jwt-secret: %s
            ---
            apiVersion: svc.platform/v1alpha1
            kind: Project
            metadata: { name: supabase }
            spec:
              name: Supabase
              database: { mode: Dedicated, dedicated: { connectionSecretRef: { name: supabase-database } } }
              rest: { anonRole: anon, exposedSchemas: [public], extraSearchPath: [public, extensions] }
              auth:
                jwt:
                  verifyKeys:
                    - { name: legacy, type: HS256, secretKeyRef: { name: supabase-database, key: jwt-secret } }
            """;

    private Platform platform;
    private String ref;

    @BeforeAll
    void adopt(Platform platform) throws Exception {
        this.platform = platform;
        String port;
        try (var server = ServerDatabase.of(platform)) {
            server.create("supabase", Files.readString(script("adopted/database.sql")));
            port = server.port();
        }
        Path manifest = Files.createTempFile("svc-e2e-", ".yaml");
        try {
            Files.writeString(manifest, MANIFEST.formatted(port, SECRET));
            Program.kubectl(platform, "apply", "-f", manifest.toString());
        } finally {
            Files.delete(manifest);
        }
        Program.kubectl(platform, "wait", "project/supabase", "--for=condition=Ready", "--timeout=180s");
        ref = Program.kubectl(platform, "get", "project", "supabase", "-o", "jsonpath={.status.ref}");
    }

    @Test
    void itsKeysTokensAndPoliciesServeSupabaseJs() throws Exception {
        String input =
                JSON.writeValueAsString(Map.of("url", platform.connection().pathUrl(ref), "secret", SECRET));
        List<String> words = List.of("node", script("adopted.mjs").toString(), input);

        JsonNode seen = JSON.readTree(
                Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));

        assertThat(seen.get("failed")).isEmpty();
        assertThat(seen.get("passed")).hasSize(CHECKS);
    }

    @Test
    void itsSettingsChangeWhileItRuns() throws Exception {
        expect("/profiles?select=id&order=name", 200, "11111111");
        set("{\"maxRows\":1}");
        awaitAnswer("/profiles?select=name&order=name", 200, "[{\"name\":\"Ann\"}]");

        expect("/profiles?select=count()", 400, "PGRST123");
        set("{\"aggregates\":true}");
        awaitAnswer("/profiles?select=count()", 200, "[{\"count\":2}]");

        assertThat(planned().status()).isEqualTo(406);
        set("{\"plan\":true}");
        await(() -> planned().status() == 200, "plan");

        expect("/", 200, "swagger");
        set("{\"openapiMode\":\"Disabled\"}");
        awaitAnswer("/", 404, "PGRST126");

        expect("/rpc/tell", 404, "42883");
        set("{\"extraSearchPath\":[\"public\",\"more\"]}");
        awaitAnswer("/rpc/tell", 200, "found along the path");

        set("{\"txEnd\":\"CommitAllowOverride\"}");
        await(
                () -> request("/profiles?select=id", "Prefer", "tx=rollback")
                        .header("preference-applied")
                        .equals(Optional.of("tx=rollback")),
                "txEnd");

        set("{\"preRequest\":\"public.stop\"}");
        awaitAnswer("/profiles", 418, "stopped before the request");
        set("{\"preRequest\":null,\"exposedSchemas\":[\"public\",\"more\"]}");
        awaitAnswer("/profiles?select=name&order=name", 200, "[{\"name\":\"Ann\"}]");
        await(() -> request("/rpc/told", "Accept-Profile", "more").status() == 200, "exposedSchemas");
    }

    private void set(String rest) throws IOException {
        platform.controlPlane()
                .patch("/projects/" + ref, "{\"rest\":" + rest + "}")
                .expect(200);
    }

    private Answer planned() throws IOException {
        return request("/profiles", "Accept", "application/vnd.pgrst.plan+json");
    }

    private Answer request(String path, String header, String value) throws IOException {
        return ControlPlane.send(
                HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(ref) + "/rest/v1" + path))
                        .header(header, value));
    }

    private void expect(String path, int status, String body) throws IOException {
        Answer answer = request(path, "Accept", "application/json, application/openapi+json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(body);
    }

    private void awaitAnswer(String path, int status, String body) throws Exception {
        await(
                () -> {
                    Answer answer = request(path, "Accept", "application/json, application/openapi+json");
                    return answer.status() == status && answer.body().contains(body);
                },
                path);
    }

    private interface Reached {
        boolean now() throws IOException;
    }

    /** The pods follow the resource by a watch: at once, but not within the call that changes it. */
    private static void await(Reached reached, String what) throws Exception {
        Instant limit = Instant.now().plus(SharedPlatform.MAX_WAIT);
        while (!reached.now()) {
            assertThat(Instant.now()).as("%s holds without a restart", what).isBefore(limit);
            Thread.sleep(20);
        }
    }

    private static Path script(String name) {
        return PlatformCommand.root().resolve("e2e/client").resolve(name);
    }
}
