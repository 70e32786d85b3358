package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** What every answer has in common, on both planes and for every error. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class EveryAnswerTest {
    private static final int OVER_DATA_CAP = 129 * 1024;

    private final ProjectForTests project = ProjectForTests.create("answers");
    private final Http keyed = project.http().with("apikey", project.anonKey());

    private Map<Integer, Http.Answer> dataPlaneErrors() {
        Map<Integer, Http.Answer> errors = new LinkedHashMap<>();
        errors.put(401, project.http().get("/realtime/v1/echo"));
        errors.put(404, keyed.get("/sql"));
        errors.put(500, keyed.get("/realtime/v1/fault"));
        errors.put(502, keyed.get("/realtime/v1/upstream"));
        errors.put(413, keyed.send("POST", "/realtime/v1/echo", "x".repeat(OVER_DATA_CAP)));
        return errors;
    }

    @Test
    void errorsOfTheDataPlaneAreJsonWithCorsAndRequestId() {
        dataPlaneErrors().forEach((status, answer) -> {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
            assertThat(answer.header("content-type").orElse("")).startsWith("application/json");
            assertThat(answer.header("access-control-allow-origin")).hasValue("*");
            assertThat(answer.header("access-control-expose-headers").orElse(""))
                    .contains("content-range");
            assertThat(answer.json().get("message").asText()).isNotBlank();
            assertThat(answer.json().get("request_id").asText())
                    .isEqualTo(answer.header("x-request-id").orElseThrow())
                    .isEqualTo(answer.header("sb-request-id").orElseThrow());
            assertThat(answer.text()).doesNotContain("secret");
        });
    }

    @Test
    void aBodyWithoutAnAnnouncedLengthIsCappedToo() {
        Http.Answer answer = keyed.send(
                "POST",
                "/realtime/v1/echo",
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[OVER_DATA_CAP])));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(413);
    }

    @Test
    void unknownHostsAreJsonWithCors() {
        for (String host : new String[] {"nobody.example", "zzzzzzzz.data.example", "127.0.0.1", "data.example"}) {
            Http.Answer answer = Http.host(host).get("/rest/v1/todos");

            assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
            assertThat(answer.header("access-control-allow-origin")).hasValue("*");
            assertThat(answer.json().get("request_id").asText()).isNotBlank();
        }
    }

    @Test
    void aProjectsHostServesNothingOfTheControlPlane() {
        for (String path : new String[] {
            "/",
            "/status",
            "/v1/projects",
            "/api/projects",
            "/q/health",
            "/q/metrics",
            "/v1/openapi.json",
            "/pg-meta",
            "/p/" + project.ref() + "/realtime/v1/echo",
            "/rest/v2/x",
            "/realtime/v1/../../q/health"
        }) {
            Http.Answer answer = keyed.get(path);

            assertThat(answer.status()).as(path + answer).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("not_found");
        }
    }

    @Test
    void aRequestIdIsTakenWhenItIsSafeAndMintedOtherwise() {
        assertThat(keyed.with("x-request-id", "agent-7/step:3")
                        .get("/realtime/v1/echo")
                        .json()
                        .get("request_id")
                        .asText())
                .isEqualTo("agent-7/step:3");
        for (String unsafe : new String[] {"a b", "x".repeat(129), "<script>", "a\"b"}) {
            assertThat(keyed.with("x-request-id", unsafe)
                            .get("/realtime/v1/echo")
                            .header("x-request-id")
                            .orElseThrow())
                    .matches("[0-9a-f]{32}");
        }
        Http.Answer control =
                Http.host("api.svc.example").with("x-request-id", "mine").get("/v1/nothing");
        assertThat(control.header("x-request-id")).hasValue("mine");
    }

    @Test
    void aPreflightNeedsNoKeyAndNoProject() {
        for (String host : new String[] {project.ref() + ".data.example", "zzzzzzzz.data.example", "api.svc.example"}) {
            Http.Answer answer = Http.host(host)
                    .with("Origin", "https://app.example")
                    .with("Access-Control-Request-Method", "PATCH")
                    .with("Access-Control-Request-Headers", "apikey, X-Custom-Thing, bad name")
                    .send("OPTIONS", "/rest/v1/todos");

            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.text()).isEmpty();
            assertThat(answer.header("access-control-max-age")).hasValue("86400");
            assertThat(answer.header("access-control-allow-origin")).hasValue("*");
            assertThat(answer.header("access-control-allow-methods").orElseThrow())
                    .isEqualTo("GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS");
            assertThat(answer.header("access-control-allow-headers")
                            .orElseThrow()
                            .split(", "))
                    .contains(
                            "authorization",
                            "x-client-info",
                            "apikey",
                            "content-type",
                            "x-supabase-api-version",
                            "x-retry-count",
                            "accept-profile",
                            "content-profile",
                            "prefer",
                            "range",
                            "x-upsert",
                            "cache-control",
                            "x-metadata",
                            "x-region",
                            "tus-resumable",
                            "upload-offset",
                            "x-signature",
                            "if-none-match",
                            "traceparent",
                            "tracestate",
                            "baggage",
                            "x-custom-thing")
                    .doesNotContain("bad name");
        }
    }

    @Test
    void theServiceGetsTheRequestAsItCame() {
        Http.Answer answer = keyed.send("POST", "/realtime/v1/a%2Fb/c?x=%20y&z", "hello");

        assertThat(answer.json().get("path").asText()).isEqualTo("/a%2Fb/c");
        assertThat(answer.json().get("query").asText()).isEqualTo("x=%20y&z");
        assertThat(answer.json().get("body").asText()).isEqualTo("hello");
        assertThat(answer.json().get("method").asText()).isEqualTo("POST");
        assertThat(answer.json().get("ref").asText()).isEqualTo(project.ref());
        assertThat(answer.json().get("thread_is_virtual").asBoolean()).isTrue();
    }

    @Test
    void pathStyleReachesTheSameProject() {
        Http.Answer answer = Http.host("api.svc.example")
                .with("apikey", project.anonKey())
                .get("/p/" + project.ref() + "/realtime/v1/echo");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().get("path").asText()).isEqualTo("/echo");
    }

    @Test
    void headHasTheHeadersAndNoBody() {
        Http.Answer error = project.http().send("HEAD", "/realtime/v1/echo");
        Http.Answer status = Http.host("api.svc.example").send("HEAD", "/status");

        assertThat(error.status()).isEqualTo(401);
        assertThat(error.text()).isEmpty();
        assertThat(error.header("access-control-allow-origin")).hasValue("*");
        assertThat(status.status()).isEqualTo(200);
        assertThat(status.text()).isEmpty();
    }
}
