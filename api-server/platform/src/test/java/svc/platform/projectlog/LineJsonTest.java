package svc.platform.projectlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines on their way hold no credentials, and nothing that PostgreSQL cannot store. */
class LineJsonTest {
    private static JsonNode written(String message) throws Exception {
        var line = new ProjectLine(
                UUID.randomUUID(), LogSource.FUNCTION, LogSeverity.WARN, 5, "r", message, Optional.empty(), Map.of());
        return new ObjectMapper().readTree(LineJson.of(List.of(line))).get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "svc_service_CANARYCANARYCANARY",
                "key=svc_pat_CANARYCANARYCANARY.",
                "sbp_CANARYCANARYCANARY",
                "sb_secret_CANARYCANARYCANARY",
                "Authorization: Bearer CANARYCANARY",
                "{\"authorization\":\"bearer CANARYCANARY\"}",
                "eyJhbGciOiJIUzI1NiJ9.CANARY.CANARY",
                "GET /auth/v1/verify?type=signup&token=CANARY&redirect_to=x",
                "https://x/#access_token=1&refresh_token=CANARY",
                "?apikey=CANARY",
                "postgresql://postgres:CANARY@db:5432/postgres"
            })
    void credentialsAreMasked(String message) throws Exception {
        assertThat(written(message).get("m").asText()).doesNotContain("CANARY").contains("[secret]");
    }

    @Test
    void otherTextStays() throws Exception {
        String message = "todos_pkey: key (id)=(5) of a@b.example at https://x.example/a?b=c, the bearer of news";

        assertThat(written(message).get("m").asText()).isEqualTo(message);
    }

    @Test
    void everyTextCanBeStored() throws Exception {
        assertThat(written("a\u0000b\uD800c😀").get("m").asText()).isEqualTo("a\uFFFDb\uFFFDc😀");
    }

    @Test
    void aLineIsCutToItsBounds() {
        var line = new ProjectLine(
                UUID.randomUUID(),
                LogSource.EDGE,
                LogSeverity.INFO,
                ProjectLine.micros(Instant.MAX),
                "i".repeat(1_000),
                "😀".repeat(9_000),
                Optional.of(
                        new ProjectLine.Request("M".repeat(100), "p".repeat(9_000), 99_999, 1, 1, "u".repeat(9_000))),
                Map.of());

        assertThat(LineJson.of(List.of(line)).length()).isLessThan(10_000);
        assertThat(line.request().orElseThrow().status()).isEqualTo(999);
        assertThat(line.micros()).isPositive();
    }
}
