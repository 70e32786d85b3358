package svc.server.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.crds.function.ScaleSpec;
import svc.crds.project.Project;
import svc.crds.project.service.FunctionsSpec;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProjectOperator;
import svc.testing.Http;
import svc.testing.RawHttp;

/** Who may call a function, which request the function receives, and which errors the gateway sends. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@Timeout(120)
class CallFunctionTest {
    private static final ScaleSpec SCALE = new ScaleSpec(0, 3, 300);

    @Inject
    KubernetesClient client;

    private final ProjectForTests project = ProjectForTests.create("functions");

    /** Returns the request that it received. */
    private static void echo(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var headers = new JsonObject();
            request.headers()
                    .forEach(header ->
                            headers.put(header.getKey().toLowerCase(java.util.Locale.ROOT), header.getValue()));
            request.response()
                    .putHeader("content-type", "application/json")
                    .end(new JsonObject()
                            .put("method", request.method().name())
                            .put("uri", request.uri())
                            .put("headers", headers)
                            .put("body", body.toString())
                            .toBuffer());
        });
    }

    private FunctionForTests function(String name) {
        return FunctionForTests.create(client, project, name);
    }

    private void settings(FunctionsSpec functions) {
        TestingProjectOperator.retried(() -> client.resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(project.ref())
                .edit(found -> {
                    found.setSpec(
                            found.getSpec().toBuilder().functions(functions).build());
                    return found;
                }));
    }

    private static void assertGatewayError(Http.Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.json().get("code").asText()).isEqualTo(code);
        assertThat(answer.json().get("message").asText()).isNotBlank();
        assertThat(answer.json().get("request_id").asText())
                .isEqualTo(answer.header("x-request-id").orElseThrow());
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
        assertThat(answer.header("x-relay-error")).hasValue("true");
    }

    @Test
    void passesTheCallAndItsAnswer() {
        try (var function = function("My_Fn").serving(CallFunctionTest::echo)) {
            Http.Answer answer = function.http()
                    .with("X-Custom", "1")
                    .with("x-region", "eu-west-1")
                    .with("x-request-id", "mine-1")
                    .send("POST", "/functions/v1/My_Fn/a%20b//c?x=1&apikey=" + project.anonKey() + "&y=2", "hello");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            JsonNode seen = answer.json();
            assertThat(seen.get("method").asText()).isEqualTo("POST");
            assertThat(seen.get("uri").asText()).isEqualTo("/My_Fn/a%20b//c?x=1&y=2");
            assertThat(seen.get("body").asText()).isEqualTo("hello");
            assertThat(seen.at("/headers/x-custom").asText()).isEqualTo("1");
            assertThat(seen.at("/headers/x-request-id").asText()).isEqualTo("mine-1");
            assertThat(seen.at("/headers/host").asText()).isEqualTo(project.ref() + ".data.example");
            assertThat(answer.header("x-request-id")).hasValue("mine-1");
            assertThat(answer.header("access-control-allow-origin")).hasValue("*");
            assertThat(answer.header("x-relay-error")).isEmpty();
        }
    }

    @Test
    void isFoundByPathStyleAsWell() {
        try (var function = function("pathstyle").serving(CallFunctionTest::echo)) {
            Http.Answer answer = Http.host("api.svc.example")
                    .with("apikey", project.anonKey())
                    .get("/p/" + project.ref() + "/functions/v1/pathstyle/x");
            assertThat(answer.json().get("uri").asText()).isEqualTo("/pathstyle/x");
            assertThat(function.replicas()).isEqualTo(1);
        }
    }

    @Test
    void everyMethodIsPassed() {
        try (var function = function("methods").serving(CallFunctionTest::echo)) {
            for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
                Http.Answer answer = function.http().send(method, "/functions/v1/methods");
                assertThat(answer.json().get("method").asText()).isEqualTo(method);
            }
            assertThat(function.http().send("HEAD", "/functions/v1/methods").status())
                    .isEqualTo(200);
            assertGatewayError(function.http().send("TRACE", "/functions/v1/methods"), 405, "METHOD_NOT_ALLOWED");
        }
    }

    @Test
    void theHeadersOfTheCallersKeyAndTokenArePassed() {
        try (var function = function("keys").serving(CallFunctionTest::echo)) {
            Http.Answer byHeader = function.http().get("/functions/v1/keys");
            assertThat(byHeader.json().at("/headers/apikey").asText()).isEqualTo(project.anonKey());
            Http.Answer byQuery = project.http().get("/functions/v1/keys?apikey=" + project.anonKey());
            assertThat(byQuery.text()).doesNotContain(project.anonKey());
            Http.Answer asBearer = project.http()
                    .with("Authorization", "Bearer " + project.anonKey())
                    .get("/functions/v1/keys");
            assertThat(asBearer.json().at("/headers/authorization").asText()).isEqualTo("Bearer " + project.anonKey());
            String token = project.token(project.claims().build());
            Http.Answer asUser =
                    function.http().with("Authorization", "Bearer " + token).get("/functions/v1/keys");
            assertThat(asUser.json().at("/headers/authorization").asText()).isEqualTo("Bearer " + token);
            Http.Answer byTokenAlone =
                    project.http().with("Authorization", "Bearer " + token).get("/functions/v1/keys");
            assertThat(byTokenAlone.status()).isEqualTo(200);
        }
    }

    @Test
    void whatSaysWhoAskedIsSaidByTheGateway() {
        try (var function = function("forged").serving(CallFunctionTest::echo)) {
            Http.Answer answer = function.http()
                    .with("X-Forwarded-For", "8.8.8.8")
                    .with("X-Forwarded-Host", "evil.example")
                    .with("Forwarded", "for=8.8.8.8")
                    .with("X-Real-IP", "8.8.8.8")
                    .with("x-request-id", "bad id \"<script>")
                    .get("/functions/v1/forged");
            JsonNode headers = answer.json().get("headers");
            assertThat(headers.get("x-forwarded-for").asText()).isEqualTo("127.0.0.1");
            assertThat(headers.get("x-forwarded-host").asText()).isEqualTo(project.ref() + ".data.example");
            assertThat(headers.has("forwarded")).isFalse();
            assertThat(headers.has("x-real-ip")).isFalse();
            assertThat(headers.get("x-request-id").asText()).matches("[0-9a-f]{32}");
        }
    }

    @Test
    void aTokenIsVerifiedUnlessTheFunctionDoesIt() {
        try (var verified = function("verified").serving(CallFunctionTest::echo);
                var open = FunctionForTests.create(client, project, "open", false, SCALE)
                        .serving(CallFunctionTest::echo)) {
            assertGatewayError401(project.http().get("/functions/v1/verified"), "invalid_api_key");
            assertGatewayError401(
                    verified.http().with("Authorization", "Bearer not.a.jwt").get("/functions/v1/verified"),
                    "UNAUTHORIZED_INVALID_JWT_FORMAT");
            ProjectForTests other = ProjectForTests.create("other");
            assertGatewayError401(
                    project.http().with("apikey", other.anonKey()).get("/functions/v1/verified"), "invalid_api_key");
            assertGatewayError401(
                    verified.http()
                            .with(
                                    "Authorization",
                                    "Bearer " + other.token(other.claims().build()))
                            .get("/functions/v1/verified"),
                    "UNAUTHORIZED_INVALID_JWT_FORMAT");
            assertThat(project.http().get("/functions/v1/open").status()).isEqualTo(200);
            // The function itself checks a webhook's signature.
            Http.Answer hook =
                    project.http().with("Authorization", "Bearer whsec_1").get("/functions/v1/open");
            assertThat(hook.json().at("/headers/authorization").asText()).isEqualTo("Bearer whsec_1");
            assertThat(open.replicas()).isEqualTo(1);
        }
    }

    private static void assertGatewayError401(Http.Answer answer, String code) {
        assertGatewayError(answer, 401, code);
    }

    @Test
    void unknownNamesAndOtherSpellingsAreNotFound() {
        try (var function = function("known").serving(CallFunctionTest::echo)) {
            for (String path : List.of(
                    "/functions/v1/unknown",
                    "/functions/v1/Known",
                    "/functions/v1/%6Bnown",
                    "/functions/v1//known",
                    "/functions/v1/_runtime",
                    "/functions/v1/known%2Fx",
                    "/functions/v1/")) {
                assertGatewayError(function.http().get(path), 404, "NOT_FOUND");
            }
            for (String path : List.of(
                    "/functions/v1/known/../_runtime/health",
                    "/functions/v1/known/%2e%2e/_runtime/health",
                    "/functions/v1/known/..%2f..")) {
                assertThat(function.http().get(path).text()).doesNotContain("\"uri\":\"/_runtime");
            }
            // Another project's function does not exist at this host.
            ProjectForTests other = ProjectForTests.create("neighbour");
            assertGatewayError(
                    other.http().with("apikey", other.anonKey()).get("/functions/v1/known"), 404, "NOT_FOUND");
        }
    }

    @Test
    void anAnswersHeadersAreItsOwnButForTheConnectionAndThePlatform() {
        try (var function = function("answers")
                .serving(request -> request.response()
                        .setStatusCode(418)
                        .putHeader("connection", "x-hop, close")
                        .putHeader("x-hop", "1")
                        .putHeader("keep-alive", "timeout=1")
                        .putHeader("x-request-id", "forged")
                        .putHeader("x-relay-error", "true")
                        .putHeader("access-control-allow-origin", "https://app.example")
                        .putHeader("set-cookie", (Iterable<String>) List.of("a=1", "b=2"))
                        .end("teapot"))) {
            Http.Answer answer = function.http().get("/functions/v1/answers");
            assertThat(answer.status()).isEqualTo(418);
            assertThat(answer.text()).isEqualTo("teapot");
            assertThat(answer.header("x-hop")).isEmpty();
            assertThat(answer.header("x-relay-error")).isEmpty();
            assertThat(answer.header("x-request-id")).isPresent().get().isNotEqualTo("forged");
            assertThat(answer.response().headers().allValues("access-control-allow-origin"))
                    .containsExactly("https://app.example");
            assertThat(answer.response().headers().allValues("set-cookie")).containsExactly("a=1", "b=2");
        }
    }

    @Test
    void aPreflightIsTheRuntimesToAnswerAndTheGatewaysWhereNoneRuns() {
        try (var function = function("preflight")) {
            Http asking = project.http()
                    .with("Origin", "https://app.example")
                    .with("Access-Control-Request-Method", "POST")
                    .with("Access-Control-Request-Headers", "x-mine");
            Http.Answer cold = asking.send("OPTIONS", "/functions/v1/preflight");
            assertThat(cold.status()).isEqualTo(200);
            assertThat(cold.header("access-control-allow-headers").orElseThrow())
                    .contains("x-mine");
            // The call after the preflight finds a starting process.
            function.awaitReplicas(1);
            function.serving(request -> request.response()
                    .putHeader("access-control-allow-headers", "by the runtime")
                    .end());
            assertThat(asking.send("OPTIONS", "/functions/v1/preflight").header("access-control-allow-headers"))
                    .hasValue("by the runtime");
            assertThat(asking.send("OPTIONS", "/functions/v1/unknown").status()).isEqualTo(200);
        }
    }

    @Test
    void whatIsTooLargeIsRefused() {
        settings(new FunctionsSpec(true, null, null, 1, 1));
        try (var function = function("large").serving(request -> {
            if (request.path().endsWith("/long")) {
                request.response().end("x".repeat((1 << 20) + 1));
            } else {
                request.body().onSuccess(body -> request.response().end("" + body.length()));
            }
        })) {
            String most = "x".repeat(1 << 20);
            await().until(() -> function.http()
                            .send("POST", "/functions/v1/large", most + "x")
                            .status()
                    == 413);
            assertGatewayError(
                    function.http().send("POST", "/functions/v1/large", most + "x"), 413, "REQUEST_TOO_LARGE");
            assertThat(function.http().send("POST", "/functions/v1/large", most).text())
                    .isEqualTo("1048576");
            assertGatewayError(function.http().get("/functions/v1/large/long"), 502, "RESPONSE_TOO_LARGE");
            var chunked = java.net.http.HttpRequest.BodyPublishers.ofInputStream(() ->
                    new java.io.ByteArrayInputStream((most + "x").getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            assertGatewayError(function.http().send("POST", "/functions/v1/large", chunked), 413, "REQUEST_TOO_LARGE");
        }
    }

    @Test
    void switchedOffFunctionsSaySo() {
        try (var function = function("off").serving(CallFunctionTest::echo)) {
            settings(new FunctionsSpec(false, null, null, null, null));
            await().until(() -> function.http().get("/functions/v1/off").status() == 403);
            assertGatewayError(function.http().get("/functions/v1/off"), 403, "FUNCTIONS_DISABLED");
        }
    }

    @Test
    void twoLengthsOfOneBodyAreRefused() {
        try (var function = function("smuggle").serving(CallFunctionTest::echo)) {
            String answer = RawHttp.send("POST /functions/v1/smuggle HTTP/1.1\r\nHost: " + project.ref()
                    + ".data.example\r\napikey: " + project.anonKey()
                    + "\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                    + "0\r\n\r\nGET /functions/v1/smuggle/second HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(answer).doesNotContain("/second");
            assertThat(function.replicas()).isEqualTo(1);
        }
    }

    @Test
    void anEndpointThatNoProcessHasIsNotAsked() {
        try (var function = function("slices")) {
            function.listen(CallFunctionTest::echo);
            function.scale(1);
            function.tell(List.of("../../other/0.sock", "0.sock/../x", "localhost", "/etc/passwd"), Map.of());
            function.put(new EndpointSliceBuilder()
                    .withNewMetadata()
                    .withNamespace(TestingPlatform.NAMESPACE)
                    .withName(function.object() + "-ip")
                    .addToLabels("kubernetes.io/service-name", function.object())
                    .addToLabels("svc.platform/purpose", "function")
                    .endMetadata()
                    .withAddressType("IPv4")
                    .addNewEndpoint()
                    .withAddresses("169.254.169.254")
                    .endEndpoint()
                    .addNewEndpoint()
                    .withAddresses("127.0.0.1")
                    .endEndpoint()
                    .build());
            assertGatewayError(function.http().get("/functions/v1/slices"), 504, "BOOT_TIMEOUT");
        }
    }
}
