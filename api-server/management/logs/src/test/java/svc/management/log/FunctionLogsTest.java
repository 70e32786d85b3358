package svc.management.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLine;
import svc.platform.projectlog.ProjectLog;
import svc.server.testing.TestingPlatform;
import svc.server.testing.function.FunctionCalls;
import svc.server.testing.function.TestWithFunctionOperator;

/** Function logs can be read and followed. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class FunctionLogsTest extends TestWithFunctionOperator {
    private static final int ATTEMPTS = 400;

    @Inject
    FunctionLog log;

    @Inject
    ProjectLog projectLog;

    private void append(FunctionCalls calls, String... messages) {
        for (String message : messages) {
            log.append(
                    calls.project().identity().projectId(),
                    "chatty",
                    List.of(new LogLine(
                            Instant.now(), LogLine.Level.INFO, LogLine.Event.LOG, Optional.of("request-1"), message)));
        }
    }

    private FunctionCalls withFunction() {
        FunctionCalls calls = FunctionCalls.ofNewProject("logs");
        calls.deployed("chatty", FunctionCalls.handler("x"));
        return calls;
    }

    @Test
    void theLastLinesAreRead() {
        FunctionCalls calls = withFunction();
        append(calls, "one", "two", "three");

        JsonNode all = calls.api().get(calls.path("/chatty/logs")).json();
        JsonNode last = calls.api().get(calls.path("/chatty/logs?limit=1")).json();
        JsonNode later = calls.api()
                .get(calls.path("/chatty/logs?since=2999-01-01T00:00:00Z"))
                .json();

        assertThat(all.findValuesAsText("message")).containsExactly("one", "two", "three");
        assertThat(all.get(0).get("request_id").asText()).isEqualTo("request-1");
        assertThat(all.get(0).get("event").asText()).isEqualTo("log");
        assertThat(last.findValuesAsText("message")).containsExactly("three");
        assertThat(later).isEmpty();
    }

    @Test
    void linesThatComeAreStreamed() {
        FunctionCalls calls = withFunction();
        append(calls, "before");

        HttpResponse<Stream<String>> answer = calls.api().lines(calls.path("/chatty/logs?follow=true&limit=1"));
        try (Stream<String> lines = answer.body()) {
            append(calls, "after");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/x-ndjson"));
            assertThat(lines.filter(line -> !line.isBlank()).limit(2).toList())
                    .satisfiesExactly(
                            line -> assertThat(line).contains("\"before\""),
                            line -> assertThat(line).contains("\"after\""));
        }
    }

    private static void call(ProjectLog log, FunctionCalls calls, String function, int status, long millis) {
        log.add(new ProjectLine(
                calls.project().identity().projectId(),
                LogSource.FUNCTION_EDGE,
                LogSeverity.INFO,
                ProjectLine.micros(Instant.now()),
                "request-1",
                "",
                Optional.of(new ProjectLine.Request(
                        "GET", "/functions/v1/" + function, status, millis * 1_000, 10, "a test")),
                Map.of("function", function)));
    }

    private static int sum(JsonNode rows, String member) {
        return StreamSupport.stream(rows.spliterator(), false)
                .mapToInt(row -> row.path(member).asInt())
                .sum();
    }

    @Test
    void callsOfAFunctionAreCountedByItsIdOrName() throws InterruptedException {
        FunctionCalls calls = withFunction();
        String stats =
                "/v1/projects/" + calls.project().ref() + "/analytics/endpoints/functions.combined-stats?interval=";
        String id = calls.get("chatty").path("id").asText();
        call(projectLog, calls, "chatty", 200, 10);
        call(projectLog, calls, "chatty", 302, 20);
        call(projectLog, calls, "chatty", 404, 30);
        call(projectLog, calls, "other", 200, 40);
        call(projectLog, calls, "chatty", 500, 60);

        JsonNode rows = null;
        for (int i = 0; i < ATTEMPTS && (rows == null || sum(rows, "server_err_count") == 0); i++) {
            Thread.sleep(100);
            rows = calls.api().get(stats + "1day&function_id=" + id).json().path("result");
        }
        assertThat(sum(rows, "requests_count")).as(rows.toString()).isEqualTo(4);
        for (String member : List.of("success_count", "redirect_count", "client_err_count", "server_err_count")) {
            assertThat(sum(rows, member)).as(member).isEqualTo(1);
        }
        JsonNode byName =
                calls.api().get(stats + "7day&function_id=chatty").json().path("result");
        assertThat(sum(byName, "requests_count")).isEqualTo(4);
        assertThat(StreamSupport.stream(byName.spliterator(), false)
                        .mapToDouble(row -> row.path("max_execution_time").asDouble())
                        .max())
                .hasValue(60);
        // The line that its deployment has.
        assertThat(sum(byName, "log_count")).isEqualTo(sum(byName, "log_info_count"));

        assertThat(calls.api().get(stats + "1day&function_id=nobody").code()).isEqualTo("function_not_found");
        assertThat(calls.api().get(stats + "1day").code()).isEqualTo("invalid_parameter");
        assertThat(calls.api().get(stats + "year&function_id=chatty").code()).isEqualTo("invalid_parameter");
    }

    @Test
    void invalidParametersAreRefused() {
        FunctionCalls calls = withFunction();

        for (String query : List.of(
                "since=yesterday",
                "since=%2B999999999-12-31T23:59:59Z",
                "limit=0",
                "limit=1001",
                "limit=x",
                "limit=-1",
                "follow=perhaps")) {
            assertThat(calls.api().get(calls.path("/chatty/logs?" + query)).code())
                    .as(query)
                    .isEqualTo("invalid_parameter");
        }
        assertThat(calls.api().get(calls.path("/nobody/logs")).code()).isEqualTo("function_not_found");
    }
}
