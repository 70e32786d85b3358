package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.SupabaseRef;
import svc.database.sql.SqlFragment;
import svc.postgres.jdbc.PlatformDatabase;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The sign-in of MCP clients by OAuth, and attacks on it. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class McpSignInTest {
    private static final String LOOPBACK = "http://127.0.0.1:4711/callback";
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    @Inject
    PlatformDatabase database;

    private static int status(String token) {
        return McpClient.of(token).send("ping", McpClient.params()).status();
    }

    private static String access(JsonNode tokens) {
        return tokens.get("access_token").asText();
    }

    private static String refresh(JsonNode tokens) {
        return tokens.get("refresh_token").asText();
    }

    private static String error(Http.Answer answer) {
        return answer.json().path("error").asText();
    }

    private static Map<String, String> with(Map<String, String> request, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(request);
        changed.put(name, value);
        return changed;
    }

    @Test
    void aClientFindsTheWayFromTheRefusal() {
        Http.Answer refused = SignIn.stranger().send("POST", "/v1/mcp", "{}");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("www-authenticate"))
                .contains(
                        "Bearer resource_metadata=\"http://api.svc.example/.well-known/oauth-protected-resource/v1/mcp\"");
        JsonNode resource = SignIn.stranger()
                .get("/.well-known/oauth-protected-resource/v1/mcp")
                .json();
        assertThat(resource.get("resource").asText()).isEqualTo(SignIn.RESOURCE);
        assertThat(resource.at("/authorization_servers/0").asText()).isEqualTo("http://api.svc.example");
        JsonNode server =
                SignIn.stranger().get("/.well-known/oauth-authorization-server").json();
        assertThat(server.get("issuer").asText()).isEqualTo("http://api.svc.example");
        assertThat(server.get("code_challenge_methods_supported").toString()).isEqualTo("[\"S256\"]");
        assertThat(server.get("registration_endpoint").asText()).isEqualTo("http://api.svc.example/v1/oauth/register");
        assertThat(SignIn.stranger().get("/v1/projects").header("www-authenticate"))
                .contains("Bearer");
    }

    /** A flood from many networks: the network with the most clients that wait to be allowed loses its oldest. */
    @Test
    void aFloodFromManyNetworksTakesNoRegistrationOfOthers() {
        SignIn early = SignIn.register(LOOPBACK);
        database.update(
                SqlFragment.of("INSERT INTO svc_platform.oauth_client (id, name, redirect_uris, created_at, network)"
                        + " SELECT gen_random_uuid(), 'flood', '{http://127.0.0.1/}', now(), 'network ' || g % 50"
                        + " FROM generate_series(1, 11000) g"));
        SignIn late = SignIn.register(LOOPBACK);
        for (SignIn client : List.of(early, late)) {
            assertThat(SignIn.page(client.request()).status()).isEqualTo(200);
        }
        assertThat(database.queryOne(
                        SqlFragment.of(
                                "SELECT count(*) AS unused FROM svc_platform.oauth_client WHERE used_at IS NULL"),
                        row -> row.number("unused")))
                .contains(10_000L);
        database.update(SqlFragment.of("DELETE FROM svc_platform.oauth_client WHERE name = 'flood'"));
    }

    @Test
    void aPersonAllowsAClientWhichCallsToolsAndGetsNewTokens() {
        SignIn client = SignIn.register(LOOPBACK);
        Http.Answer page = SignIn.page(client.request());
        assertThat(page.text()).contains("An &lt;b&gt;editor&lt;/b&gt;").doesNotContain("<b>");
        assertThat(page.header("content-security-policy").orElseThrow())
                .contains("default-src 'none'", "form-action 'self' http://127.0.0.1:4711", "frame-ancestors 'none'");
        JsonNode tokens = client.tokens(TestingPlatform.ADMIN);
        assertThat(access(tokens)).startsWith("svc_mcp_");
        assertThat(tokens.get("expires_in").asInt()).isEqualTo(3600);
        assertThat(status(access(tokens))).isEqualTo(200);
        assertThat(Http.api(access(tokens)).get("/v1/projects").status()).isEqualTo(401);
        assertThat(Http.api(refresh(tokens)).get("/v1/projects").status()).isEqualTo(401);
        assertThat(status(refresh(tokens))).isEqualTo(401);

        JsonNode next = client.refresh(refresh(tokens)).json();
        assertThat(status(access(next))).isEqualTo(200);
        assertThat(status(access(tokens))).as("the token before").isEqualTo(401);
        List<String> rows = database.query(
                SqlFragment.of("SELECT g::text AS whole FROM svc_platform.oauth_grant AS g"
                        + " UNION ALL SELECT r::text FROM svc_platform.oauth_refresh_token AS r"),
                row -> row.text("whole"));
        assertThat(rows).isNotEmpty().noneMatch(row -> row.contains(refresh(next)));
    }

    @Test
    void whatThePersonChoosesHoldsAndEndsWithTheirToken() {
        JsonNode parent = ADMIN.send(
                        "POST", "/v1/tokens", "{\"name\":\"person\",\"permissions\":{\"database_query\":true}}")
                .json();
        SignIn client = SignIn.register(LOOPBACK);
        String token = parent.get("token").asText();
        JsonNode tokens = client.exchange(client.code(token, Map.of("read_only", "true")), SignIn.VERIFIER)
                .json();
        assertThat(tokens.get("scope").asText()).isEqualTo("mcp:read");
        assertThat(McpClient.of(access(tokens))
                        .request("tools/list", McpClient.params())
                        .toString())
                .contains("list_projects")
                .doesNotContain("\"name\":\"create_project\"");
        for (String ref : List.of("nothere1", SupabaseRef.of("nothere1"))) {
            assertThat(SignIn.decide(
                                    SignIn.page(client.request()),
                                    Map.of("token", token, "decision", "allow", "project_ref", ref))
                            .text())
                    .contains("no project nothere1");
        }
        String parentPath = "/v1/tokens/" + parent.get("id").asText();
        assertThat(ADMIN.send("DELETE", parentPath).status()).isEqualTo(200);
        assertThat(status(access(tokens))).isEqualTo(401);
        assertThat(error(client.refresh(refresh(tokens)))).isEqualTo("invalid_grant");
    }

    @Test
    void aSignInAndItsTokensStandInTheAudit() {
        String slug = "allowed-" + Long.toString(System.nanoTime(), 36);
        JsonNode made = ADMIN.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\"}")
                .json();
        String person = made.at("/token/token").asText();
        SignIn client = SignIn.register(LOOPBACK);
        JsonNode tokens = client.tokens(person);
        JsonNode next = client.refresh(refresh(tokens)).json();
        assertThat(error(client.refresh(refresh(tokens)))).isEqualTo("invalid_grant");
        assertThat(error(client.refresh(refresh(next)))).isEqualTo("invalid_grant");

        JsonNode audit = Http.api(person)
                .get("/v1/organizations/" + slug + "/audit?limit=100")
                .json();
        List<String> rows = new ArrayList<>();
        audit.get("calls").forEach(call -> {
            assertThat(call.get("token_id")).isEqualTo(made.at("/token/id"));
            rows.add(call.at("/statement_kinds/0").asText());
        });
        String ofClient = " MCP client " + client.client();
        assertThat(rows.reversed())
                .containsExactly(
                        "allow" + ofClient,
                        "create token of" + ofClient,
                        "create token of" + ofClient,
                        "revoke" + ofClient);
    }

    @Test
    void aCodeThatIsUsedTwiceEndsTheGrant() {
        SignIn client = SignIn.register(LOOPBACK);
        String code = client.code(TestingPlatform.ADMIN, Map.of());
        JsonNode tokens = client.exchange(code, SignIn.VERIFIER).json();
        assertThat(status(access(tokens))).isEqualTo(200);
        assertThat(error(client.exchange(code, SignIn.VERIFIER))).isEqualTo("invalid_grant");
        assertThat(status(access(tokens))).isEqualTo(401);
        assertThat(error(client.refresh(refresh(tokens)))).isEqualTo("invalid_grant");
    }

    @Test
    void aRefreshTokenThatIsUsedTwiceEndsTheGrantAndNoOther() {
        SignIn client = SignIn.register(LOOPBACK);
        JsonNode neighbour = client.tokens(TestingPlatform.ADMIN);
        JsonNode stolen = client.tokens(TestingPlatform.ADMIN);
        JsonNode next = client.refresh(refresh(stolen)).json();
        assertThat(error(client.refresh(refresh(stolen)))).isEqualTo("invalid_grant");
        assertThat(status(access(next))).isEqualTo(401);
        assertThat(error(client.refresh(refresh(next)))).isEqualTo("invalid_grant");
        assertThat(status(access(neighbour))).isEqualTo(200);
    }

    @Test
    void withoutTheVerifierACodeIsWorthless() {
        SignIn client = SignIn.register(LOOPBACK);
        String code = client.code(TestingPlatform.ADMIN, Map.of());
        assertThat(error(client.exchange(code, "another-verifier-that-has-43-characters-or-more")))
                .isEqualTo("invalid_grant");
        assertThat(error(client.exchange(code, SignIn.VERIFIER))).isEqualTo("invalid_grant");
        String second = client.code(TestingPlatform.ADMIN, Map.of());
        assertThat(error(client.exchange(Map.of("code", second)))).isEqualTo("invalid_request");
        for (Map<String, String> downgraded : List.of(
                with(client.request(), "code_challenge_method", "plain"),
                with(client.request(), "code_challenge_method", ""),
                with(client.request(), "code_challenge", ""),
                with(client.request(), "code_challenge", SignIn.VERIFIER))) {
            refusedWithALink(SignIn.page(downgraded), "invalid_request");
        }
    }

    /** Any client may register an address: no person is sent to one that it does not see first. */
    private static void refusedWithALink(Http.Answer answer, String error) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.header("location")).isEmpty();
        assertThat(answer.text()).contains("href=\"" + LOOPBACK + "?error=" + error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:4711/callback/",
                "http://127.0.0.1:4711/callback?more",
                "http://localhost:4711/callback",
                "http://127.0.0.1.evil.example/callback",
                "https://127.0.0.1:4711/callback",
                "http://user@127.0.0.1:4711/callback",
                "http://127.0.0.1:4711/callback#fragment",
                "https://evil.example/",
                "javascript:alert(1)"
            })
    void theBrowserIsSentToNoAddressThatIsNotRegistered(String redirect) {
        SignIn client = SignIn.register(LOOPBACK);
        Http.Answer answer = SignIn.page(with(client.request(), "redirect_uri", redirect));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.header("location")).isEmpty();
        assertThat(answer.text()).contains("Sign-in failed");
    }

    @Test
    void aLoopbackAddressMayHaveAnyPortButTheCodeIsForOne() {
        SignIn registered = SignIn.register(LOOPBACK);
        SignIn other = new SignIn(registered.client(), "http://127.0.0.1:5822/callback");
        String code = other.code(TestingPlatform.ADMIN, Map.of());
        assertThat(error(registered.exchange(code, SignIn.VERIFIER))).isEqualTo("invalid_grant");
        assertThat(other.exchange(other.code(TestingPlatform.ADMIN, Map.of()), SignIn.VERIFIER)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void anotherClientGetsNothingForACodeOrARefreshToken() {
        SignIn client = SignIn.register(LOOPBACK);
        SignIn thief = SignIn.register(LOOPBACK);
        assertThat(error(thief.exchange(client.code(TestingPlatform.ADMIN, Map.of()), SignIn.VERIFIER)))
                .isEqualTo("invalid_grant");
        JsonNode tokens = client.tokens(TestingPlatform.ADMIN);
        SignIn.form(SignIn.stranger(), "revoke", Map.of("client_id", thief.client(), "token", access(tokens)));
        assertThat(status(access(tokens))).as("revoked by another client").isEqualTo(200);
        assertThat(error(thief.refresh(refresh(tokens)))).isEqualTo("invalid_grant");
        assertThat(error(SignIn.form(
                        SignIn.stranger(),
                        "token",
                        Map.of("grant_type", "refresh_token", "client_id", "nobody", "refresh_token", "x"))))
                .isEqualTo("invalid_client");
    }

    @Test
    void tokensOfThisServerAreForItAlone() {
        SignIn client = SignIn.register(LOOPBACK);
        Http.Answer elsewhere = SignIn.page(with(client.request(), "resource", "https://elsewhere.example/mcp"));
        refusedWithALink(elsewhere, "invalid_target");
        String code = client.code(TestingPlatform.ADMIN, Map.of());
        assertThat(error(client.exchange(Map.of(
                        "code", code, "code_verifier", SignIn.VERIFIER, "resource", "http://api.svc.example/v1/mcpx"))))
                .isEqualTo("invalid_target");
    }

    @Test
    void noOtherPageDecidesForAPerson() {
        SignIn client = SignIn.register(LOOPBACK);
        Http.Answer page = SignIn.page(client.request());
        Map<String, String> form = SignIn.fields(page);
        form.put("token", TestingPlatform.ADMIN);
        form.put("decision", "allow");
        assertThat(SignIn.form(SignIn.stranger(), "authorize", form).status())
                .as("without the cookie")
                .isEqualTo(400);
        Http browser = SignIn.stranger().with("Cookie", SignIn.cookie(page));
        assertThat(SignIn.form(browser, "authorize", with(form, "redirect_uri", "http://127.0.0.1:9/callback"))
                        .status())
                .as("another request than the page showed")
                .isEqualTo(400);
        assertThat(SignIn.form(browser.with("Sec-Fetch-Site", "cross-site"), "authorize", form)
                        .status())
                .isEqualTo(400);
        Http.Answer denied = SignIn.form(browser, "authorize", with(form, "decision", "deny"));
        assertThat(SignIn.parameters(denied))
                .containsEntry("error", "access_denied")
                .doesNotContainKey("code");
        Http.Answer unknown = SignIn.form(browser, "authorize", with(form, "token", "svc_pat_nonsense"));
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.header("location")).isEmpty();
        assertThat(unknown.text()).contains("not a personal access token").doesNotContain("svc_pat_nonsense");
    }

    @Test
    void revocationByTheClientAndByThePersonEndsTheGrant() {
        SignIn client = SignIn.register(LOOPBACK);
        JsonNode first = client.tokens(TestingPlatform.ADMIN);
        assertThat(SignIn.form(
                                SignIn.stranger(),
                                "revoke",
                                Map.of("client_id", client.client(), "token", refresh(first)))
                        .status())
                .isEqualTo(200);
        assertThat(status(access(first))).isEqualTo(401);

        JsonNode second = client.tokens(TestingPlatform.ADMIN);
        String id = "";
        String hint = access(second).substring(access(second).length() - 4);
        for (JsonNode token : ADMIN.get("/v1/tokens/mcp").json()) {
            id = token.path("hint").asText().equals(hint) ? token.get("id").asText() : id;
        }
        assertThat(ADMIN.send("DELETE", "/v1/tokens/mcp/" + id).status()).isEqualTo(200);
        assertThat(status(access(second))).isEqualTo(401);
        assertThat(error(client.refresh(refresh(second)))).isEqualTo("invalid_grant");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"redirect_uris\":[]}",
                "{\"redirect_uris\":[\"http://evil.example/\"]}",
                "{\"redirect_uris\":[\"javascript:alert(1)\"]}",
                "{\"redirect_uris\":[\"data:text/html,x\"]}",
                "{\"redirect_uris\":[\"https://a.example/#x\"]}",
                "{\"redirect_uris\":[7]}",
                "{\"redirect_uris\":\"https://a.example\"}",
                "[]",
                "not json"
            })
    void anUnusableRegistrationIsRefused(String body) {
        Http by = SignIn.stranger().with("X-Forwarded-For", "192.0.2.9");
        assertThat(by.send("POST", "/v1/oauth/register", body).status()).isIn(400, 429);
    }

    /** The status of a registration that comes from an address of this machine. */
    private static int registration(String from) throws IOException {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        String body = "{\"redirect_uris\":[\"https://app.example/callback\"]}";
        try (var socket = new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(from), 0)) {
            String request = "POST /v1/oauth/register HTTP/1.1\r\nHost: api.svc.example\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    @Test
    void aFloodOfRegistrationsStopsItsSenderAlone() throws IOException {
        int accepted = 0;
        while (registration("127.0.0.9") == 201) {
            accepted++;
            assertThat(accepted).isLessThanOrEqualTo(60);
        }
        assertThat(registration("127.0.0.9")).isEqualTo(429);
        assertThat(registration("127.0.0.10")).isEqualTo(201);
    }

    @Test
    void formsOfWrongShapeAreAnsweredInTheWordsOfTheStandard() {
        SignIn client = SignIn.register(LOOPBACK);
        assertThat(error(SignIn.form(SignIn.stranger(), "token", Map.of("client_id", client.client()))))
                .isEqualTo("invalid_request");
        assertThat(error(SignIn.form(
                        SignIn.stranger(), "token", Map.of("client_id", client.client(), "grant_type", "password"))))
                .isEqualTo("unsupported_grant_type");
        Http form = SignIn.stranger().with("Content-Type", "application/x-www-form-urlencoded");
        assertThat(error(form.send("POST", "/v1/oauth/token", "client_id=a&client_id=b")))
                .isEqualTo("invalid_request");
        assertThat(error(form.send("POST", "/v1/oauth/token", "client_id=%zz"))).isEqualTo("invalid_request");
        assertThat(form.send("POST", "/v1/oauth/token", "x".repeat(70_000)).status())
                .isEqualTo(413);
        assertThat(error(SignIn.stranger().with("Content-Type", "").send("POST", "/v1/oauth/token", "client_id=%zz")))
                .isEqualTo("invalid_request");
        Http.Answer twice = SignIn.stranger()
                .get("/v1/oauth/authorize?client_id=" + client.client() + "&client_id=" + client.client());
        assertThat(twice.status()).isEqualTo(400);
    }
}
