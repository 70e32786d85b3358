package svc.server.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import svc.database.key.Purpose;
import svc.database.key.RuntimeToken;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;

/** A runtime token is valid for its own function and for no other. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class RuntimeEndpointTest {
    private static final String LINE =
            "{\"time\":\"2026-01-02T03:04:05Z\",\"level\":\"info\",\"event\":\"log\",\"request_id\":\"r1\",\"message\":\"%s\"}\n";

    @Inject
    KubernetesClient client;

    @Inject
    FunctionLog log;

    private final ProjectForTests project = ProjectForTests.create("runtime");

    private Http as(ProjectForTests of, String function) {
        String token =
                RuntimeToken.of(TestingProjectOperator.leaf(of.identity(), Purpose.FUNCTION_RUNTIME, 1), function);
        return project.http().with("Authorization", "Bearer " + token);
    }

    private static void assertRefused(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(401);
        assertThat(answer.json().get("code").asText()).isEqualTo("INVALID_RUNTIME_TOKEN");
    }

    @Test
    void linesAreKeptForTheirFunction() {
        Http.Answer answer = as(project, "mine")
                .send("POST", "/functions/v1/_runtime/logs/mine", LINE.formatted("one") + "\n" + LINE.formatted("two"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(204);
        assertThat(log.read(project.identity().projectId(), "mine", Optional.empty(), 10))
                .extracting(LogLine::message)
                .containsExactly("one", "two");
    }

    @Test
    void aTokenOpensNothingOfAnotherFunctionOrProject() {
        ProjectForTests other = ProjectForTests.create("other");
        String path = "/functions/v1/_runtime/logs/mine";
        assertRefused(as(project, "another").send("POST", path, LINE.formatted("x")));
        assertRefused(as(other, "mine").send("POST", path, LINE.formatted("x")));
        assertRefused(project.http().send("POST", path, LINE.formatted("x")));
        assertRefused(project.http()
                .with("Authorization", "Bearer " + project.serviceKey())
                .send("POST", path, LINE.formatted("x")));
        try (var mine = FunctionForTests.create(client, project, "mine");
                var another = FunctionForTests.create(client, project, "none")) {
            String archive = "/functions/v1/_runtime/archives/" + "2".repeat(64);
            assertRefused(as(project, "mine").get(archive));
            assertRefused(as(other, "mine").get(archive));
            assertRefused(project.http().get("/functions/v1/_runtime/archives/" + "1".repeat(64)));
            assertThat(mine.object()).isNotEqualTo(another.object());
        }
    }

    @Test
    void otherAddressesAreNone() {
        Http own = as(project, "mine");
        for (String path : java.util.List.of("/health", "/archives/xyz", "/logs/", "/logs/a/b", "/logs/9a")) {
            assertThat(own.get("/functions/v1/_runtime" + path).status()).isEqualTo(404);
        }
        assertThat(own.get("/functions/v1/_runtime/logs/mine").status()).isEqualTo(404);
    }

    @Test
    void whatIsNoLineIsRefusedInWords() {
        Http own = as(project, "words");
        for (String body : java.util.List.of(
                "no json",
                "[]",
                "{}",
                LINE.formatted("x").replace("info", "loud"),
                LINE.formatted("x").replace("log\"", "shout\""))) {
            Http.Answer answer = own.send("POST", "/functions/v1/_runtime/logs/words", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.json().get("message").asText()).contains("line 1");
        }
        assertThat(own.send("POST", "/functions/v1/_runtime/logs/words", "x".repeat(300_000))
                        .status())
                .isEqualTo(413);
    }

    @Test
    void aFloodLosesLinesAndSaysSo() {
        String batch = IntStream.range(0, 900).mapToObj(i -> LINE.formatted(i)).collect(Collectors.joining());
        Http own = as(project, "flood");
        int refused = 0;
        for (int i = 0; i < 4; i++) {
            refused +=
                    own.send("POST", "/functions/v1/_runtime/logs/flood", batch).status() == 429 ? 1 : 0;
        }
        assertThat(refused).isPositive();
        assertThat(log.read(project.identity().projectId(), "flood", Optional.empty(), 1_000))
                .extracting(LogLine::message)
                .anyMatch(message -> message.startsWith("log lines were dropped"));
    }
}
