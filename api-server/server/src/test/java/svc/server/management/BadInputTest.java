package svc.server.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.key.KeyKind;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;
import svc.testing.RawHttp;

/** Every invalid request to the control plane gets the same form of error, never a 500, and a request id. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class BadInputTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    private static void assertProblem(Http.Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.header("content-type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.json().get("status").asInt()).isEqualTo(status);
        assertThat(answer.json().get("type").asText()).isEqualTo("urn:svc:problem:" + code);
        assertThat(answer.json().get("title").asText()).isNotBlank();
        assertThat(answer.json().get("message").asText())
                .isNotBlank()
                .isEqualTo(answer.json().get("detail").asText());
        assertThat(answer.json().get("request_id").asText())
                .isNotBlank()
                .isEqualTo(answer.header("x-request-id").orElseThrow());
        assertThat(answer.text()).doesNotContain("svc.api", "java.", "jackson");
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("", "invalid_body", ""),
                Arguments.of("null", "invalid_body", ""),
                Arguments.of("[]", "invalid_body", ""),
                Arguments.of("\"shop\"", "invalid_body", ""),
                Arguments.of("7", "invalid_body", ""),
                Arguments.of("{}", "invalid_body", "/name"),
                Arguments.of("{\"name\":null}", "invalid_body", "/name"),
                Arguments.of("{\"name\":5}", "invalid_body", "/name"),
                Arguments.of("{\"name\":true}", "invalid_body", "/name"),
                Arguments.of("{\"name\":[\"a\"]}", "invalid_body", "/name"),
                Arguments.of("{\"name\":{\"a\":1}}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\" shop\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"" + "x".repeat(64) + "\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"a\\u0000b\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"a\\nb\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"a\\u0085b\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"a\\ud800b\"}", "invalid_body", "/name"),
                Arguments.of("{\"name\":\"a\",\"nmae\":\"b\"}", "invalid_body", "/nmae"),
                Arguments.of("{\"name\":\"a\",\"deletion_policy\":\"Burn\"}", "invalid_body", "/deletion_policy"),
                Arguments.of("{\"name\":\"a\",\"deletion_policy\":0}", "invalid_body", "/deletion_policy"),
                Arguments.of("{\"name\":\"a\",\"kps_enabled\":\"yes\"}", "invalid_body", "/kps_enabled"),
                Arguments.of("{\"name\":\"a\",\"organization_id\":\"other\"}", "invalid_body", "/organization_id"),
                Arguments.of("{\"name\":\"a\",\"name\":\"b\"}", "malformed_json", null),
                Arguments.of("{\"name\":\"a\"", "malformed_json", null),
                Arguments.of("{\"name\":\"a\"} {}", "invalid_body", ""),
                Arguments.of("{name:\"a\"}", "malformed_json", null),
                Arguments.of("{\"name\":\"a\tb\"}", "malformed_json", null),
                Arguments.of("name=shop", "malformed_json", null),
                Arguments.of("[".repeat(2000), "invalid_body", ""),
                Arguments.of("{\"region_selection\":" + "[".repeat(2000), "malformed_json", null));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void aBodyThatDoesNotFit(String body, String code, String pointer) {
        Http.Answer answer = API.send("POST", "/v1/projects", body);

        assertProblem(answer, 400, code);
        if (pointer != null) {
            assertThat(answer.json().at("/errors/0/pointer").asText()).isEqualTo(pointer);
            assertThat(answer.json().at("/errors/0/message").asText()).isNotBlank();
        }
    }

    @Test
    void malformedJsonSaysWhere() {
        Http.Answer answer = API.send("POST", "/v1/projects", "{\n  \"name\": shop\n}");

        assertProblem(answer, 400, "malformed_json");
        assertThat(answer.json().get("line").asInt()).isEqualTo(2);
        assertThat(answer.json().get("column").asInt()).isBetween(10, 16);
    }

    @Test
    void anUnknownFieldSaysWhichAreKnown() {
        Http.Answer answer = API.send("POST", "/v1/projects", "{\"nmae\":\"a\"}");

        assertThat(answer.json().get("hint").asText()).contains("name").contains("deletion_policy");
    }

    @Test
    void bytesThatAreNoText() {
        Http.Answer answer = API.send(
                "POST",
                "/v1/projects",
                new String(new byte[] {'{', (byte) 0xFF, (byte) 0xFE, '}'}, StandardCharsets.ISO_8859_1));

        assertProblem(answer, 400, "malformed_json");
    }

    @Test
    void aBodyThatIsTooLarge() {
        assertProblem(
                API.send("POST", "/v1/projects", "{\"name\":\"" + "x".repeat(70_000) + "\"}"), 413, "body_too_large");
    }

    static Stream<Arguments> tokens() {
        String unknown = KeyKind.PAT.format().encode(new byte[32]);
        return Stream.of(
                Arguments.of(null, "token_missing"),
                Arguments.of("", "token_missing"),
                Arguments.of("Bearer", "token_malformed"),
                Arguments.of("Bearer garbage", "token_malformed"),
                Arguments.of("Basic c3ZjOnN2Yw==", "token_malformed"),
                Arguments.of(TestingPlatform.ADMIN, "token_malformed"),
                Arguments.of("Bearer " + TestingPlatform.ADMIN + "x", "token_malformed"),
                Arguments.of("Bearer " + unknown, "token_unknown"));
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void aTokenThatDoesNotOpen(String header, String code) {
        Http anonymous = Http.host("api.svc.example");
        Http caller = header == null ? anonymous : anonymous.with("Authorization", header);

        for (String path : new String[] {"/v1/projects", "/api/projects", "/v1/tokens", "/v1/organizations"}) {
            Http.Answer answer = caller.get(path);
            assertProblem(answer, 401, code);
            assertThat(answer.header("www-authenticate")).hasValue("Bearer");
        }
        assertProblem(caller.send("POST", "/v1/projects", "{\"nonsense"), 401, code);
    }

    static Stream<Arguments> addresses() {
        return Stream.of(
                Arguments.of("GET", "/v1/nothing", 404, "not_found"),
                Arguments.of("GET", "/nothing", 404, "not_found"),
                Arguments.of("GET", "/api/nothing", 404, "not_found"),
                Arguments.of("GET", "/v1/", 404, "not_found"),
                Arguments.of("GET", "/v1", 404, "not_found"),
                Arguments.of("GET", "/rest/v1/todos", 404, "not_found"),
                Arguments.of("GET", "/v1/projects/abcdefg2", 404, "project_not_found"),
                Arguments.of("GET", "/v1/projects/..%2f..%2fsecrets", 404, "project_not_found"),
                Arguments.of("GET", "/v1/projects/" + "x".repeat(3000), 404, "project_not_found"),
                Arguments.of("GET", "/v1/projects/%00", 404, "project_not_found"),
                Arguments.of("GET", "/v1/tokens/7", 404, "token_not_found"),
                Arguments.of("DELETE", "/v1/tokens/00000000-0000-0000-0000-000000000000", 404, "token_not_found"),
                Arguments.of("PATCH", "/v1/projects", 405, "method_not_allowed"),
                Arguments.of("PUT", "/v1/projects", 405, "method_not_allowed"),
                Arguments.of("DELETE", "/v1/tokens", 405, "method_not_allowed"),
                Arguments.of("POST", "/status", 405, "method_not_allowed"));
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void anAddressThatLeadsNowhere(String method, String path, int status, String code) {
        assertProblem(API.send(method, path), status, code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+294277-01-01T00:00:00Z", "+999999999-12-31T23:59:59Z", "-4713-01-01T00:00:00Z"})
    void aTimeThatNoDatabaseKeeps(String time) {
        Http.Answer answer = API.send("POST", "/v1/tokens", "{\"name\":\"late\",\"expires_at\":\"" + time + "\"}");

        assertProblem(answer, 400, "invalid_body");
        assertThat(answer.json().at("/errors/0/pointer").asText()).isEqualTo("/expires_at");
    }

    @Test
    void otherMediaTypes() {
        assertProblem(
                API.with("Content-Type", "application/xml").send("POST", "/v1/projects", "<name/>"),
                415,
                "unsupported_media_type");
        assertProblem(
                API.with("Content-Type", "multipart/form-data; boundary=x").send("POST", "/v1/projects", "--x--"),
                415,
                "unsupported_media_type");
        assertProblem(API.with("Accept", "text/html").get("/v1/projects"), 406, "not_acceptable");
    }

    @Test
    void aContentTypeThatIsNoneOrComesTwiceIsRefused() {
        for (String path : List.of("/v1/projects", "/v1/projects/nothere1/functions/deploy")) {
            for (String type : List.of("json", "/", ";", "application/json/x")) {
                Http.Answer answer = API.with("Content-Type", type).send("POST", path, "{}");
                assertThat(answer.status()).as(type + " " + path + answer).isBetween(400, 415);
            }
            String twice = RawHttp.send("POST " + path + " HTTP/1.1\r\nHost: api.svc.example\r\nConnection: close\r\n"
                    + "Authorization: Bearer " + TestingPlatform.ADMIN + "\r\nContent-Type: application/json\r\n"
                    + "Content-Type: json\r\nContent-Length: 2\r\n\r\n{}");
            assertThat(twice).startsWith("HTTP/1.1 400 ").contains("more than one Content-Type");
        }
    }

    @Test
    void whatCurlSendsByDefaultIsTakenAsJson() {
        Http.Answer answer = API.with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", "/v1/projects", "{\"name\":\"curl\"}");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    }

    @Test
    void bothPrefixesAreOneApi() {
        Http.Answer made = API.send("POST", "/api/projects?x=1", "{\"name\":\"prefix\"}");

        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        String ref = made.json().at("/project/ref").asText();
        assertThat(API.get("/api/projects/" + ref).json())
                .isEqualTo(API.get("/v1/projects/" + ref).json());
    }
}
