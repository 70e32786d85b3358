package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: scripts of every origin read answers, or of those alone that the operator of the platform names. */
class CorsTest {
    private static MultiMap answered(List<String> origins, String origin) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        new Cors(origins).onEveryAnswer(headers, origin);
        return headers;
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"https://app.example.com", "null"})
    void withoutASettingEveryOriginReads(String origin) {
        assertThat(answered(List.of(), origin).get("access-control-allow-origin"))
                .isEqualTo("*");
        assertThat(new Cors(List.of()).varies()).isFalse();
    }

    @Test
    void aNamedOriginReadsWithItsOwnNameAndCachesKeepOneAnswerForEach() {
        Cors cors = new Cors(List.of("https://app.example.com", "https://Shop.example.com"));
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("vary", "Accept");

        cors.onEveryAnswer(headers, "https://shop.example.com");
        Cors.onVaryingAnswer(headers);

        assertThat(cors.varies()).isTrue();
        assertThat(headers.get("access-control-allow-origin")).isEqualTo("https://shop.example.com");
        assertThat(headers.get("access-control-expose-headers")).contains("content-range");
        assertThat(headers.getAll("vary")).containsExactly("Accept", "Origin");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "https://evil.example",
                "https://app.example.com.evil.example",
                "http://app.example.com",
                "null",
                "*"
            })
    void anotherOriginDoesNotRead(String origin) {
        assertThat(answered(List.of("https://app.example.com"), origin).isEmpty())
                .isTrue();
    }
}
