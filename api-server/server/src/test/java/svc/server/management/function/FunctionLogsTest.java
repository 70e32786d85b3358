package svc.server.management.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.server.testing.TestingPlatform;

/** Function logs can be read and followed. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class FunctionLogsTest extends TestWithFunctionOperator {
    @Inject
    FunctionLog log;

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

    @Test
    void parametersThatDoNotFitAreTold() {
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
