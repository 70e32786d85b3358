package svc.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.api.testing.RawHttp;
import svc.api.testing.TestingPlatform;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class MalformedHttpTest {
    private static void assertRefused(String answer, int status) {
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(answer).contains("\"request_id\"").containsIgnoringCase("access-control-allow-origin: *");
    }

    /** The framework refuses these by itself, before anything of ours sees them, and without a body. */
    @ParameterizedTest
    @ValueSource(strings = {"/realtime/v1/x?apikey=%zz", "/v1/projects?limit=%e", "/v1/projects/%zz", "//[::1"})
    void anAddressThatIsNoUriIsTheCallersFault(String uri) {
        String answer = RawHttp.send("GET " + uri + " HTTP/1.1\r\nConnection: close\r\nHost: api.svc.example\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Host:\r\n", "Host: a b c\r\n", "Host: ..\r\n", "Host: [::1\r\n", "Host: x:99999999\r\n"})
    void aHostThatCannotBeReadIsUnknown(String header) {
        String answer = RawHttp.send("GET /v1/projects HTTP/1.1\r\nConnection: close\r\n" + header + "\r\n");

        assertThat(answer).containsPattern("^HTTP/1.1 (400|404)");
        assertThat(answer).contains("\"request_id\"");
    }

    @Test
    void aBodyThatAnnouncesTooMuchIsRefusedBeforeItIsSent() {
        String answer = RawHttp.send("POST /v1/projects HTTP/1.1\r\nConnection: close\r\nHost: api.svc.example\r\n"
                + "Content-Length: 99999999999999\r\n\r\n");

        assertRefused(answer, 413);
        assertThat(answer).contains("body_too_large");
    }

    @Test
    void oneWhoAsksFirstIsToldToGoOn() {
        String body = "{\"name\":\"continued\"}";
        String answer = RawHttp.send("POST /v1/projects HTTP/1.1\r\nConnection: close\r\nHost: api.svc.example\r\n"
                + "Authorization: Bearer " + TestingPlatform.ADMIN + "\r\nExpect: 100-continue\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);

        assertThat(answer).startsWith("HTTP/1.1 100").contains("HTTP/1.1 201");
    }
}
