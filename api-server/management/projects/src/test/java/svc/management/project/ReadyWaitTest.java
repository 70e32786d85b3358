package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** {@code GET /v1/projects/{ref}?wait=ready}: answered when the project is ready, and never later than asked for. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ReadyWaitTest {
    private static final int OF_ORGANIZATION = 50;
    private static final int TOO_MANY = 5;
    private static final String WAIT = "?wait=ready&timeout_ms=30000";

    private final String slug = "wait-" + Long.toString(System.nanoTime(), 36);
    private final Http api = Http.api(Http.api(TestingPlatform.ADMIN)
            .send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\"}")
            .json()
            .at("/token/token")
            .asText());

    /** The operator ignores it for as long as it has its name. */
    private String stuck() {
        JsonNode project = api.send("POST", "/v1/projects", "{\"name\":\"stuck until it is renamed\"}")
                .json();
        return "/v1/projects/" + project.at("/project/ref").asText();
    }

    private static String status(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().get("status").asText();
    }

    @Test
    void aCallIsAnsweredWhenTheProjectIsReady() throws Exception {
        String path = stuck();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Http.Answer> waiting = callers.submit(() -> api.get(path + WAIT));
            api.send("PATCH", path, "{\"name\":\"free\"}");
            assertThat(status(waiting.get())).isEqualTo("ACTIVE_HEALTHY");
        }
        Http.Answer after = api.get(path + WAIT);
        assertThat(status(after)).isEqualTo("ACTIVE_HEALTHY");
        String tag = after.header("etag").orElseThrow();
        assertThat(api.with("If-None-Match", tag).get(path + WAIT).status()).isEqualTo(304);
    }

    @Test
    void theAnswerIsTheProjectAsItIsWhenTheTimeIsOver() {
        String path = stuck();
        assertThat(status(api.get(path + "?wait=ready&timeout_ms=50"))).isEqualTo("COMING_UP");
        assertThat(status(api.get(path))).isEqualTo("COMING_UP");
    }

    @Test
    void whatCannotBecomeReadyByWaitingIsAnsweredAtOnce() {
        String lost = "/v1/projects/"
                + api.send("POST", "/v1/projects", "{\"name\":\"lost\"}")
                        .json()
                        .at("/project/ref")
                        .asText();
        assertThat(status(api.get(lost + WAIT))).isEqualTo("INIT_FAILED");
        assertThat(api.get("/v1/projects/nothere1" + WAIT).code()).isEqualTo("project_not_found");
        String foreign = "/v1/projects/" + ProjectForTests.create("of another").ref();
        assertThat(api.get(foreign + WAIT).code()).isEqualTo("project_not_found");
    }

    @Test
    void onlySoManyCallsOfAnOrganisationWaitAtOnce() throws Exception {
        String path = stuck();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Http.Answer>> waiting = new ArrayList<>();
            Callable<Http.Answer> call = () -> api.get(path + WAIT);
            for (int i = 0; i < OF_ORGANIZATION + TOO_MANY; i++) {
                waiting.add(callers.submit(call));
            }
            await().atMost(Duration.ofSeconds(25))
                    .until(() -> waiting.stream().filter(Future::isDone).count() == TOO_MANY);
            assertThat(status(api.get(path))).isEqualTo("COMING_UP");
            api.send("PATCH", path, "{\"name\":\"free\"}");
            int refused = 0;
            for (Future<Http.Answer> one : waiting) {
                Http.Answer answer = one.get();
                if (answer.status() == 429) {
                    assertThat(answer.code()).isEqualTo("rate_limited");
                    assertThat(answer.header("retry-after")).isPresent();
                    refused++;
                } else {
                    assertThat(status(answer)).isEqualTo("ACTIVE_HEALTHY");
                }
            }
            assertThat(refused).isEqualTo(TOO_MANY);
        }
        assertThat(status(api.get(path + WAIT))).as("the places are free again").isEqualTo("ACTIVE_HEALTHY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wait=up",
                "timeout_ms=5",
                "wait=ready&timeout_ms=0",
                "wait=ready&timeout_ms=-1",
                "wait=ready&timeout_ms=30001",
                "wait=ready&timeout_ms=x"
            })
    void refusesParametersThatDoNotFit(String query) {
        Http.Answer answer = api.get("/v1/projects/nothere1?" + query);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("invalid_parameter");
    }
}
