package svc.management.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** MCP clients in browsers of any origin sign in and call tools; the page on which a person decides is closed to them. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class BrowserMcpTest {
    private static final String ORIGIN = "access-control-allow-origin";
    private static final String CREDENTIALS = "access-control-allow-credentials";
    private static final Http BROWSER = Http.host("api.svc.example").with("Origin", "https://inspector.example");

    private static Http.Answer preflight(String path, String method) {
        return BROWSER.with("Access-Control-Request-Method", method)
                .with("Access-Control-Request-Headers", "authorization, content-type, mcp-protocol-version")
                .send("OPTIONS", path);
    }

    @Test
    void preflightsOfTheSignInAndTheToolsNeedNoToken() {
        for (String path : List.of(
                "/v1/mcp",
                "/v1/mcp?project_ref=abcdefgh",
                "/api/mcp",
                "/v1/oauth/register",
                "/v1/oauth/token",
                "/v1/oauth/revoke",
                "/.well-known/oauth-protected-resource",
                "/.well-known/oauth-protected-resource/v1/mcp",
                "/.well-known/oauth-authorization-server")) {
            Http.Answer answer = preflight(path, path.startsWith("/.well-known") ? "GET" : "POST");

            assertThat(answer.status()).as(path + answer).isEqualTo(200);
            assertThat(answer.header(ORIGIN)).as(path).hasValue("*");
            assertThat(answer.header("access-control-allow-methods").orElseThrow())
                    .contains("GET, POST");
            assertThat(answer.header("access-control-allow-headers")
                            .orElseThrow()
                            .split(", "))
                    .contains("authorization", "content-type", "mcp-protocol-version", "mcp-session-id");
            assertThat(answer.header(CREDENTIALS)).as(path).isEmpty();
        }
    }

    @Test
    void aScriptReadsHowToSignInAndTheAnswers() {
        Http.Answer refused = BROWSER.with("Content-Type", "application/json").send("POST", "/v1/mcp", "{}");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(401);
        assertThat(refused.header("www-authenticate").orElseThrow()).contains("resource_metadata");

        Http.Answer metadata = BROWSER.get("/.well-known/oauth-protected-resource/v1/mcp");
        assertThat(metadata.status()).isEqualTo(200);
        Http.Answer wrong = BROWSER.with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", "/v1/oauth/token", "grant_type=none");
        assertThat(wrong.status()).isLessThan(500);
        for (Http.Answer answer : List.of(refused, metadata, wrong)) {
            assertThat(answer.header(ORIGIN)).hasValue("*");
            assertThat(answer.header(CREDENTIALS)).isEmpty();
            assertThat(answer.header("access-control-expose-headers")
                            .orElseThrow()
                            .split(", "))
                    .contains("www-authenticate", "mcp-session-id", "mcp-protocol-version", "retry-after");
        }
    }

    @Test
    void noScriptOfAnotherOriginReadsThePagesForPeople() {
        for (String path : List.of(
                "/v1/oauth/authorize",
                "/v1/oauth/authorize/",
                "/v1/oauth/%61uthorize",
                "/v1/x/../oauth/authorize",
                "/v1/oauth/authorize;a=b",
                "/api/oauth/authorize",
                "/v1/secret-entry",
                "/v1/x/../secret%2dentry",
                "/api/secret-entry/")) {
            for (Http.Answer answer : List.of(
                    BROWSER.get(path + "?client_id=x"),
                    BROWSER.with("Content-Type", "application/x-www-form-urlencoded")
                            .send("POST", path, "decision=allow"))) {
                boolean isPage = answer.header("content-type").orElse("").startsWith("text/html");
                assertThat(isPage && answer.header(ORIGIN).isPresent())
                        .as(path + answer)
                        .isFalse();
                assertThat(answer.header(CREDENTIALS)).isEmpty();
            }
        }
        for (String page : List.of("/v1/oauth/authorize?client_id=x", "/v1/secret-entry?request=x")) {
            assertThat(BROWSER.get(page).header("content-type").orElseThrow()).startsWith("text/html");
        }
        for (String path :
                List.of("/v1/oauth/authorize", "/api/oauth/authorize", "/v1/oauth/%61uthorize", "/v1/secret-entry")) {
            Http.Answer answer = preflight(path, "POST");
            assertThat(answer.status()).as(path + answer).isEqualTo(403);
            assertThat(answer.header(ORIGIN)).as(path).isEmpty();
        }
    }
}
