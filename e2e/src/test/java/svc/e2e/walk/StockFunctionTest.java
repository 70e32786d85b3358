package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.SharedPlatform;

/**
 * The functions that {@code supabase functions new} writes are deployed unedited: they use {@code @supabase/server}, which
 * npm serves, where it can be reached.
 */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockFunctionTest {
    private static final String IMPORTS = """
            import "@supabase/functions-js/edge-runtime.d.ts"
            import { withSupabase } from "@supabase/server"
            """;
    private static final String NONE = IMPORTS + """
            console.log("Hello from Functions!")
            export default {
              fetch: withSupabase({ auth: "none" }, async (req, ctx) => {
                const { name } = await req.json();
                return Response.json({
                  message: `Hello ${name}!`,
                });
              }),
            };
            """;
    private static final String USER = IMPORTS + """
            console.log("Hello from Functions!")
            export default {
              fetch: withSupabase({ auth: "user" }, async (_req, ctx) => {
                const email = ctx.userClaims?.email;
                return Response.json({
                  message: `Hello ${email}!`,
                })
              }),
            }
            """;
    private static final String KEYS = IMPORTS + """
            export default {
              fetch: withSupabase({ auth: ["publishable", "secret"] }, async (_req, ctx) => {
                const { data, error } = await ctx.supabaseAdmin.from("words").select("word")
                return Response.json({ mode: ctx.authMode, data, error })
              }),
            }
            """;
    private static final String DENO_JSON = """
            {
              "imports": {
                "@supabase/functions-js": "jsr:@supabase/functions-js@^2",
                "@supabase/server": "npm:@supabase/server@^1"
              }
            }
            """;

    private Platform platform;
    private String ref;
    private String key;

    @BeforeAll
    void create(Platform platform) throws Exception {
        assumeThat(isReachable("registry.npmjs.org"))
                .as("registry.npmjs.org cannot be reached from here")
                .isTrue();
        this.platform = platform;
        JsonNode project = platform.controlPlane().create("stock");
        this.ref = project.get("ref").asText();
        this.key = project.get("anon_key").asText();
    }

    private static boolean isReachable(String host) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, 443), 2_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void deploy(String name, String source) throws IOException {
        platform.controlPlane()
                .post(
                        "/projects/" + ref + "/functions/deploy",
                        Map.of(
                                "name",
                                name,
                                "source",
                                source,
                                "files",
                                Map.of("deno.json", DENO_JSON),
                                "verify_jwt",
                                false))
                .expect(201);
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(platform.connection().pathUrl(ref) + path))
                .header("Content-Type", "application/json");
    }

    private Answer call(String name, String... headers) throws IOException {
        HttpRequest.Builder request = to("/functions/v1/" + name).POST(BodyPublishers.ofString("{\"name\":\"Ada\"}"));
        return ControlPlane.send(headers.length == 0 ? request : request.headers(headers));
    }

    @Test
    void oneForAllCallersAnswers() throws Exception {
        deploy("open", NONE);
        assertThat(call("open").expect(200).json().get("message").asText()).isEqualTo("Hello Ada!");
    }

    @Test
    void oneForUsersChecksTheirTokens() throws Exception {
        platform.controlPlane()
                .patch("/projects/" + ref, "{\"auth\":{\"email\":{\"autoconfirm\":true}}}")
                .expect(200);
        deploy("users", USER);
        String token = ControlPlane.send(to("/auth/v1/signup")
                        .header("apikey", key)
                        .POST(BodyPublishers.ofString(
                                "{\"email\":\"ada@example.com\",\"password\":\"a long password\"}")))
                .expect(200)
                .json()
                .get("access_token")
                .asText();
        assertThat(call("users", "apikey", key, "Authorization", "Bearer " + token)
                        .expect(200)
                        .json()
                        .get("message")
                        .asText())
                .isEqualTo("Hello ada@example.com!");
        call("users", "apikey", key).expect(401);
        call("users", "Authorization", "Bearer " + token.substring(0, token.length() - 4) + "AAAA")
                .expect(401);
    }

    @Test
    void oneForHoldersOfKeysKnowsThem() throws Exception {
        platform.controlPlane()
                .query(ref, "create table words (word text); insert into words values ('found')")
                .expect(201);
        deploy("keys", KEYS);
        JsonNode seen = call("keys", "apikey", key).expect(200).json();
        assertThat(seen.get("mode").asText()).isEqualTo("publishable");
        assertThat(seen.at("/data/0/word").asText()).as(seen.toString()).isEqualTo("found");
        call("keys", "apikey", "svc_anon_wrong").expect(401);
        call("keys").expect(401);
    }
}
