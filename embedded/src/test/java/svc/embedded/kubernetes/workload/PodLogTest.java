package svc.embedded.kubernetes.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.ApiTest;
import svc.embedded.kubernetes.log.LogQuery;
import svc.embedded.kubernetes.log.PodLog;

/** What a pod said is read as kubectl reads it: the last lines, since a time, and what follows. */
class PodLogTest extends ApiTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String LOG = PODS + "/one/log";

    private final PodLog log = new PodLog();

    @BeforeEach
    void createPod() throws Exception {
        http.post(
                PODS, "{apiVersion: v1, kind: Pod, metadata: {name: one}, spec: {containers: [{name: a, image: b}]}}");
        api.serveLogs((namespace, pod) -> pod.equals("one") ? Optional.of(log) : Optional.empty());
    }

    @Test
    void linesAreSelectedByNumberAndByTime() throws Exception {
        log.append(Instant.parse("2026-01-01T00:00:00Z"), "old");
        log.append(Instant.now(), "second");
        log.append(Instant.now(), "third");
        assertThat(text(LOG)).isEqualTo("old\nsecond\nthird\n");
        assertThat(text(LOG + "?tailLines=1")).isEqualTo("third\n");
        assertThat(text(LOG + "?sinceSeconds=600")).isEqualTo("second\nthird\n");
        assertThat(text(LOG + "?sinceTime=2026-01-01T00:00:01Z")).isEqualTo("second\nthird\n");
        assertThat(text(LOG + "?tailLines=3&timestamps=true")).startsWith("2026-01-01T00:00:00Z old\n");
        assertThat(text(LOG + "?limitBytes=3")).isEqualTo("old\n");
        assertThat(http.get(LOG + "?tailLines=x").code()).isEqualTo(400);
        assertThat(http.get(LOG + "?sinceTime=x").code()).isEqualTo(400);
        assertThat(http.get(PODS + "/two/log").code()).isEqualTo(404);
    }

    @Test
    void whoFollowsGetsEveryLaterLineAndTheEnd() throws Exception {
        log.append(Instant.now(), "before");
        try (var reader =
                new BufferedReader(new InputStreamReader(http.stream(LOG + "?follow=true"), StandardCharsets.UTF_8))) {
            assertThat(reader.readLine()).isEqualTo("before");
            log.append(Instant.now(), "after");
            assertThat(reader.readLine()).isEqualTo("after");
            log.end();
            assertThat(reader.readLine()).isNull();
        }
    }

    @Test
    void oldLinesMakeRoomAndOnePodCannotFillTheMemory() {
        for (int i = 0; i < 1_500; i++) {
            log.append(Instant.now(), "line " + i);
        }
        assertThat(log.read(LogQuery.ALL)).hasSize(1_000).first().isEqualTo("line 500");
        for (int i = 0; i < 100; i++) {
            log.append(Instant.now(), "x".repeat(100_000));
        }
        assertThat(log.read(LogQuery.ALL)).hasSize(10);
    }

    private String text(String path) throws Exception {
        try (var stream = http.stream(path)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
