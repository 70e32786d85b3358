package svc.e2e.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/** What is asked wrongly is refused in JSON, under a request id, and is never the platform's own failure. */
@ExtendWith(SharedPlatform.class)
class RequestRefusedTest {
    @Test
    void aHostWithoutAProject(Platform platform) throws IOException {
        Answer answer =
                ControlPlane.send(HttpRequest.newBuilder(origin(platform).resolve("/rest/v1/todos"))
                        .header("Host", "shop.example.com"));
        expectRefusal(answer, 404);
        assertThat(answer.header("content-type").orElseThrow()).contains("json");
    }

    @Test
    void aKeyThatIsWrongIsRefusedToABrowserInAWayThatItCanRead(Platform platform) throws IOException {
        String ref = platform.controlPlane().create("guarded").get("ref").asText();
        URI table = URI.create(platform.connection().pathUrl(ref) + "/rest/v1/todos");
        Answer wrong = ControlPlane.send(
                HttpRequest.newBuilder(table).header("apikey", "wrong").header("Origin", "https://app.example.com"));
        expectRefusal(wrong, 401);
        assertThat(wrong.header("access-control-allow-origin")).isPresent();
        Answer none = ControlPlane.send(HttpRequest.newBuilder(table).header("Origin", "https://app.example.com"));
        expectRefusal(none, 401);
        assertThat(none.header("access-control-allow-origin")).isPresent();
    }

    @Test
    void theKeyOfAnotherProject(Platform platform) throws IOException {
        String own = platform.controlPlane().create("own").get("ref").asText();
        String foreign =
                platform.controlPlane().create("foreign").get("anon_key").asText();
        expectRefusal(
                ControlPlane.send(
                        HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(own) + "/rest/v1/todos"))
                                .header("apikey", foreign)),
                401);
    }

    @Test
    void aProjectThatDoesNotExist(Platform platform) throws IOException {
        expectProblem(platform.controlPlane().get("/projects/zzzzzzzz"), 404);
        expectRefusal(
                ControlPlane.send(
                        HttpRequest.newBuilder(URI.create(platform.connection().pathUrl("zzzzzzzz") + "/rest/v1/todos"))
                                .header("apikey", "any")),
                404);
    }

    @Test
    void aTokenThatIsWrong(Platform platform) throws IOException {
        expectProblem(
                ControlPlane.send(
                        HttpRequest.newBuilder(URI.create(platform.connection().baseUrl() + "/projects"))
                                .header("Authorization", "Bearer svc_pat_wrong")),
                401);
    }

    @Test
    void aBodyThatIsWrong(Platform platform) throws IOException {
        expectProblem(platform.controlPlane().post("/projects", Map.of("name", 7, "colour", "blue")), 400);
        expectProblem(platform.controlPlane().post("/projects", Map.of("name", "x".repeat(10_000))), 400);
        expectProblem(platform.controlPlane().post("/projects", "no object"), 400);
    }

    private static URI origin(Platform platform) {
        return URI.create(platform.connection().baseUrl()).resolve("/");
    }

    private static void expectRefusal(Answer answer, int status) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.header("x-request-id").orElseThrow()).isNotBlank();
        assertThat(answer.json().isObject()).isTrue();
    }

    private static void expectProblem(Answer answer, int status) {
        expectRefusal(answer, status);
        assertThat(answer.header("content-type").orElseThrow()).startsWith("application/problem+json");
        assertThat(answer.json().get("request_id").asText())
                .isEqualTo(answer.header("x-request-id").orElseThrow());
        assertThat(answer.json().get("code").asText()).isNotBlank();
    }
}
