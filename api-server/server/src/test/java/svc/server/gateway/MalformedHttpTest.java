package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.RawHttp;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class MalformedHttpTest {
    private static ProjectForTests project;

    @BeforeAll
    static void aProject() {
        project = ProjectForTests.create("malformed");
    }

    private static String host() {
        return project.ref() + ".data.example";
    }

    private static String get(String host, String uri) {
        return RawHttp.send("GET " + uri + " HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n");
    }

    private static void assertRefused(String answer, int status) {
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(answer).contains("\"request_id\"").containsIgnoringCase("access-control-allow-origin: *");
    }

    /** The framework would reject these itself, without a body, before our handlers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/projects?limit=%e",
                "/v1/projects/%zz",
                "/v1/projects?a=>",
                "/v1/projects/{ref}",
                "/v1/x|y",
                "//[::1",
                "/status?a=^"
            })
    void anAddressThatIsNoUriIsTheCallersFault(String uri) {
        String answer = get("api.svc.example", uri);

        assertRefused(answer, 400);
        assertThat(answer).contains("bad_request").contains("Percent-encode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rest/v1/%zz", "/rest/v1/a%", "/realtime/v1/%z0", "/%c"})
    void aProjectsPathMustBeReadable(String uri) {
        String answer = get(host(), uri);

        assertRefused(answer, 400);
        assertThat(answer).contains("bad_request").contains("%25");
    }

    /** People write such targets by hand; PostgREST accepts them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a->>b=eq.1",
                "a=cs.{1,2}",
                "a=cs.[1]",
                "a=in.(\"x\")",
                "a=like.b|c",
                "a=match.^b",
                "a=eq.\\",
                "a=eq.`",
                "a=like.50%",
                "a=eq.%zz",
                "a=eq.\u00c3\u00a9"
            })
    void aQueryMayHoldWhatAUriMayNot(String query) {
        String answer = get(host(), "/realtime/v1/x?" + query + "&apikey=" + project.anonKey());

        assertThat(answer).startsWith("HTTP/1.1 200");
        assertThat(answer)
                .contains(JsonObject.of("query", query.replace("\u00c3\u00a9", "%C3%A9"))
                        .encode()
                        .replaceAll("^.|\"}$", ""));
    }

    @Test
    void aKeyIsReadBesideWhatCannotBeDecoded() {
        String answer = get(host(), "/rest/v1/x?a=%zz&apikey=svc_anon_nope");

        assertThat(answer).startsWith("HTTP/1.1 401").contains("Invalid API key");
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

    @ParameterizedTest
    @ValueSource(
            strings = {"zz\r\nx\r\n0\r\n\r\n", "ffffffffffffffffff\r\nx\r\n", "1\r\nxyz\r\n0\r\n\r\n", "-1\r\n\r\n"})
    void chunksThatCannotBeReadAreTheCallersFault(String body) {
        for (String to : new String[] {
            "POST /v1/projects HTTP/1.1\r\nHost: api.svc.example\r\nAuthorization: Bearer " + TestingPlatform.ADMIN,
            "POST /realtime/v1/x HTTP/1.1\r\nHost: " + host() + "\r\napikey: " + project.anonKey()
        }) {
            String answer = RawHttp.send(to + "\r\nTransfer-Encoding: chunked\r\n\r\n" + body);

            assertRefused(answer, 400);
            assertThat(answer).contains("bad_request");
        }
    }

    /** The answer does not wait for the body, and the body is wrong. */
    @Test
    void anAnswerThatIsDueAlreadyIsSentBeforeTheConnectionEnds() {
        String answer = RawHttp.send("POST /realtime/v1/x HTTP/1.1\r\nHost: " + host()
                + "\r\napikey: svc_anon_nope\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n");

        assertRefused(answer, 401);
    }

    @Test
    void theNameOfTheProtocolIsAnsweredInItsUsualForm() {
        assertThat(RawHttp.send("GET /status http/1.1\r\nConnection: close\r\nHost: api.svc.example\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertRefused(RawHttp.send("GET /status HTTQ/1.1\r\nX-\u00ff: x\r\nHost: api.svc.example\r\n\r\n"), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/2.0", "HTTP/1.2", "HTTP/9.9", "HTTQ/1.1"})
    void anotherProtocolIsTheCallersFault(String protocol) {
        String answer = RawHttp.send("GET /v1/projects " + protocol + "\r\nHost: api.svc.example\r\n\r\n");

        assertRefused(answer, 400);
        assertThat(answer).contains("bad_request");
    }

    @Test
    void aClientThatExpectsContinueReceivesIt() {
        String body = "{\"name\":\"continued\"}";
        String answer = RawHttp.send("POST /v1/projects HTTP/1.1\r\nConnection: close\r\nHost: api.svc.example\r\n"
                + "Authorization: Bearer " + TestingPlatform.ADMIN + "\r\nExpect: 100-continue\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);

        assertThat(answer).startsWith("HTTP/1.1 100").contains("HTTP/1.1 201");
    }

    /** A function's server would refuse it without a word, and the caller would take that for the function's answer. */
    @Test
    void aHeaderWithoutANameIsTheCallersFault() {
        for (String to : new String[] {
            "GET /v1/projects HTTP/1.1\r\nHost: api.svc.example",
            "GET /functions/v1/x HTTP/1.1\r\nHost: " + host() + "\r\napikey: " + project.anonKey()
        }) {
            String answer = RawHttp.send(to + "\r\nConnection: close\r\n: x\r\n\r\n");

            assertRefused(answer, 400);
            assertThat(answer).contains("bad_request").contains("no name");
        }
    }

    @Test
    void aProbeTakesNoBody() {
        String answer = RawHttp.send(
                "GET /q/health HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n");

        assertRefused(answer, 413);
        assertThat(answer).contains("body_too_large");
    }
}
