package svc.management.log;

import static java.net.URLEncoder.encode;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.ProjectIdentity;
import svc.database.key.Purpose;
import svc.database.key.RuntimeToken;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;

/** From a request to the line that its developer reads, over HTTP. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ProjectLogsTest {
    private static final int ATTEMPTS = 400;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    ProjectLog log;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private ProjectForTests project;

    @BeforeEach
    void create() {
        project = ProjectForTests.create("logs");
    }

    private String path(String rest) {
        return "/v1/projects/" + project.ref() + rest;
    }

    private void line(LogSource source, String message) {
        log.add(project.identity().projectId(), source, LogSeverity.INFO, Optional.of("request-1"), message, Map.of());
    }

    /** The lines as soon as they hold one that is waited for. */
    private JsonNode lines(String query, Predicate<JsonNode> wanted) throws InterruptedException {
        JsonNode lines = null;
        for (int i = 0; i < ATTEMPTS; i++) {
            Http.Answer answer = api.get(path("/logs" + query));
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            lines = answer.json();
            if (StreamSupport.stream(lines.spliterator(), false).anyMatch(wanted)) {
                return lines;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("no such line: " + lines);
    }

    private static Predicate<JsonNode> saying(String message) {
        return line -> line.path("message").asText().contains(message);
    }

    @Test
    void aRequestIsALineWithItsIdAndWithoutItsSecrets() throws Exception {
        String canary = "CANARY-4f1c";
        Http.Answer answer = project.http()
                .with("apikey", project.serviceKey())
                .with("Authorization", "Bearer " + project.serviceKey())
                .with("Cookie", "session=" + canary)
                .with("User-Agent", "a-test")
                .send(
                        "POST",
                        "/rest/v1/rpc/nothing?token=" + canary + "&apikey=" + canary,
                        "{\"password\":\"" + canary + "\"}");
        String id = answer.header("x-request-id").orElseThrow();
        project.http().get("/auth/v1/verify?token=" + canary);

        JsonNode lines = lines("?limit=1000", saying("/auth/v1/verify"));

        JsonNode line = StreamSupport.stream(lines.spliterator(), false)
                .filter(one -> one.path("request_id").asText().equals(id) && one.has("status"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lines.toPrettyString()));
        assertThat(line.get("source").asText()).isEqualTo("edge_logs");
        assertThat(line.get("method").asText()).isEqualTo("POST");
        assertThat(line.get("path").asText()).isEqualTo("/rest/v1/rpc/nothing");
        assertThat(line.get("status").asInt()).isEqualTo(answer.status());
        assertThat(line.get("user_agent").asText()).isEqualTo("a-test");
        assertThat(line.get("duration_ms").asDouble()).isPositive();
        assertThat(lines.toString()).doesNotContain(canary, project.serviceKey(), "svc_service_");
    }

    /** There would be more of them than of the project's own. */
    @Test
    void callsOfAFunctionsRuntimeAreNoRequests() throws Exception {
        String path = "/functions/v1/_runtime/logs/mine";
        String token =
                RuntimeToken.of(TestingProjectOperator.leaf(project.identity(), Purpose.FUNCTION_RUNTIME, 1), "mine");
        String line = "{\"time\":\"2026-01-02T03:04:05Z\",\"level\":\"info\",\"event\":\"log\",\"message\":\"x\"}\n";
        Http.Answer taken =
                project.http().with("Authorization", "Bearer " + token).send("POST", path, line);
        assertThat(taken.status()).as(taken.toString()).isEqualTo(204);
        Http.Answer refused = project.http().send("POST", path, line);

        JsonNode lines = lines(
                "?limit=1000",
                one -> one.path("request_id")
                        .asText()
                        .equals(refused.header("x-request-id").orElseThrow()));

        assertThat(lines.findValuesAsText("request_id"))
                .doesNotContain(taken.header("x-request-id").orElseThrow());
    }

    @Test
    void errorsOfTheDatabaseAreLines() throws Exception {
        TestingProject real = TestingProject.create(client, tenants, "logged");
        project = new ProjectForTests(new ProjectIdentity(
                real.ref(), tenants.find(real.ref()).orElseThrow().projectId()));
        String body = new ObjectMapper()
                .createObjectNode()
                .put("query", "select 'CANARY-7d', nothing from public.nowhere")
                .toString();
        assertThat(api.send("POST", real.path(), body).status()).isEqualTo(400);

        JsonNode lines = lines("?source=postgres", saying("nowhere"));

        assertThat(lines.get(0).get("severity").asText()).isEqualTo("error");
        assertThat(lines.get(0).get("attributes").get("sqlstate").asText()).isEqualTo("42P01");
        assertThat(lines.toString()).doesNotContain("CANARY", "proj_");
    }

    @Test
    void supabasesToolsReadThem() throws Exception {
        line(LogSource.FUNCTION, "printed by a function");
        lines("", saying("printed by a function"));
        String sql =
                "select id, timestamp, event_message, severity_text, log_attributes['level'] as level from logs where source ="
                        + " 'function_logs' order by timestamp desc limit 100";

        for (String endpoint : List.of("logs", "logs.all")) {
            Http.Answer answer = api.get(path("/analytics/endpoints/" + endpoint + "?sql=" + encode(sql, UTF_8)));

            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.json().get("result").get(0).get("event_message").asText())
                    .isEqualTo("printed by a function");
            assertThat(answer.header("deprecation").isPresent()).isEqualTo(endpoint.equals("logs.all"));
        }
        Http.Answer deprecated = api.get(path("/analytics/endpoints/logs.all"));
        assertThat(deprecated.header("deprecation").orElseThrow()).matches("@\\d+");
        assertThat(deprecated.header("link").orElseThrow())
                .contains(path("/analytics/endpoints/logs>"), "rel=\"successor-version\"");
        Http.Answer refused =
                api.get(path("/analytics/endpoints/logs?sql=" + encode("select pg_sleep(9) from logs", UTF_8)));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.code()).isEqualTo("log_query_invalid");
        assertThat(refused.json().get("hint").asText()).contains("select timestamp");
    }

    @Test
    void linesThatComeAreStreamed() throws Exception {
        line(LogSource.AUTH, "before");
        lines("", saying("before"));

        HttpResponse<Stream<String>> answer = api.lines(path("/logs?follow=true&limit=1&source=auth"));
        try (Stream<String> lines = answer.body()) {
            line(LogSource.STORAGE, "of another source");
            line(LogSource.AUTH, "after");

            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/x-ndjson"));
            assertThat(lines.filter(line -> !line.isBlank()).limit(2).toList())
                    .satisfiesExactly(
                            line -> assertThat(line).contains("\"before\""),
                            line -> assertThat(line).contains("\"after\""));
        }
    }

    @Test
    void eventsResumeAfterTheLastOne() throws Exception {
        line(LogSource.AUTH, "first");
        lines("", saying("first"));
        line(LogSource.AUTH, "second");
        JsonNode both = lines("", saying("second"));
        String first = both.get(both.size() - 2).get("id").asText();

        HttpResponse<Stream<String>> answer = api.with("Accept", "text/event-stream")
                .with("Last-Event-ID", first)
                .lines(path("/logs?follow=true"));
        try (Stream<String> lines = answer.body()) {
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
            assertThat(lines.filter(line -> line.startsWith("data: ")).findFirst())
                    .hasValueSatisfying(line -> assertThat(line).contains("second"));
        }
    }

    @Test
    void requestsAreCountedByService() throws Exception {
        ProjectForTests.create("neighbour").http().get("/auth/v1/verify?token=x");
        project.http().get("/auth/v1/verify?token=x");
        line(LogSource.FUNCTION, "not a request");
        project.http().with("apikey", project.serviceKey()).get("/rest/v1/nothing");
        lines("?limit=1000", saying("/auth/v1/verify"));
        lines("?limit=1000", saying("/rest/v1/nothing"));

        for (String interval : List.of("15min", "30min", "1hr", "3hr", "1day", "3day", "7day", "")) {
            JsonNode counts = usage("api-counts?interval=" + interval);

            assertThat(sum(counts, "total_auth_requests")).as(interval).isEqualTo(1);
            assertThat(sum(counts, "total_rest_requests")).as(interval).isEqualTo(1);
            assertThat(sum(counts, "total_storage_requests")).as(interval).isZero();
            assertThat(sum(counts, "total_realtime_requests")).as(interval).isZero();
            assertThat(counts.get(0).get("timestamp").asText()).contains("T");
        }
        assertThat(usage("api-requests-count").get(0).get("count").asInt()).isEqualTo(2);
        assertThat(api.get(path("/analytics/endpoints/usage.api-counts?interval=year"))
                        .code())
                .isEqualTo("invalid_parameter");
    }

    private JsonNode usage(String call) {
        Http.Answer answer = api.get(path("/analytics/endpoints/usage." + call));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().get("result");
    }

    private static int sum(JsonNode rows, String member) {
        return StreamSupport.stream(rows.spliterator(), false)
                .mapToInt(row -> row.get(member).asInt())
                .sum();
    }

    @Test
    void onlyTokensThatMayReadTheProjectReadItsLog() {
        JsonNode made = api.send("POST", "/v1/tokens", "{\"name\":\"reader\"}").json();
        Http poor = Http.api(made.get("token").asText());

        assertThat(poor.get(path("/logs")).code()).isEqualTo("pat_database_query_forbidden");
        for (String endpoint :
                List.of("logs", "usage.api-counts", "usage.api-requests-count", "functions.combined-stats")) {
            assertThat(poor.get(path("/analytics/endpoints/" + endpoint)).code())
                    .isEqualTo("pat_database_query_forbidden");
        }
        assertThat(api.get("/v1/projects/nothere1/logs").code()).isEqualTo("project_not_found");
        assertThat(Http.api("wrong").get(path("/logs")).status()).isEqualTo(401);
    }

    @Test
    void invalidParametersAreRefused() {
        for (String query : List.of(
                "since=yesterday",
                "since=%2B999999999-12-31T23:59:59Z",
                "limit=0",
                "limit=1001",
                "limit=x",
                "source=nobody",
                "source=edge,,auth",
                "follow=perhaps")) {
            assertThat(api.get(path("/logs?" + query)).code()).as(query).isEqualTo("invalid_parameter");
        }
        assertThat(api.with("Last-Event-ID", "x").get(path("/logs")).code()).isEqualTo("invalid_parameter");
        assertThat(api.get(path("/analytics/endpoints/logs?iso_timestamp_start=x"))
                        .code())
                .isEqualTo("invalid_parameter");
    }
}
