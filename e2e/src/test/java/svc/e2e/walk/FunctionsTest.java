package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** A function is deployed and called by an unchanged {@code @supabase/supabase-js}, on the platform as it is shipped. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FunctionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String HELLO = """
            import { greeting } from "./_shared/greeting.ts";
            Deno.serve(async (request: Request) => {
              const { name = "world", what } = request.method === "POST" ? await request.json() : {};
              if (what === "throw") throw new Error("on purpose");
              if (what === "refuse") return Response.json({ refused: true }, { status: 422 });
              if (what === "rows") {
                const rows = await fetch(`${Deno.env.get("SVC_URL")}/rest/v1/words?select=word`, {
                  headers: { apikey: Deno.env.get("SUPABASE_SERVICE_ROLE_KEY")! },
                });
                return Response.json(await rows.json());
              }
              if (what === "stream") {
                let n = 0;
                return new Response(new ReadableStream({
                  async pull(controller) {
                    if (n++) await new Promise((later) => setTimeout(later, 300));
                    controller.enqueue(new TextEncoder().encode(`data: ${n}\\n\\n`));
                    if (n === 3) controller.close();
                  },
                }), { headers: { "content-type": "text/event-stream" } });
              }
              return Response.json({ message: greeting(name), word: Deno.env.get("WORD") ?? null });
            });
            """;

    private Platform platform;
    private JsonNode project;

    @BeforeAll
    void deploy(Platform platform) throws Exception {
        this.platform = platform;
        this.project = platform.controlPlane().create("functions");
        JsonNode deployed = deploy(Map.of(
                "name",
                "hello",
                "source",
                HELLO,
                "files",
                Map.of("_shared/greeting.ts", "export const greeting = (name: string) => `Hello, ${name}!`;")));
        assertThat(deployed.get("status").asText()).isEqualTo("ACTIVE");
        assertThat(deployed.get("version").asInt()).isEqualTo(1);
    }

    private JsonNode deploy(Map<String, Object> body) throws IOException {
        return platform.controlPlane()
                .post("/projects/" + ref() + "/functions/deploy", body)
                .expect(201)
                .json();
    }

    private String ref() {
        return project.get("ref").asText();
    }

    private String key() {
        return project.get("anon_key").asText();
    }

    private JsonNode invoke(Map<String, ?>... calls) throws Exception {
        return invoke(platform.connection().pathUrl(ref()), key(), calls);
    }

    private static JsonNode invoke(String url, String key, Map<String, ?>... calls) throws Exception {
        var script = PlatformCommand.root().resolve("e2e/client/functions.mjs");
        var input = Map.of("url", url, "key", key, "calls", List.of(calls));
        var words = List.of("node", script.toString(), JSON.writeValueAsString(input));
        return JSON.readTree(Program.run(words, Map.of("NODE_NO_WARNINGS", "1")).succeeded(words));
    }

    @Test
    void theClientGetsDataStreamsAndErrors() throws Exception {
        JsonNode seen = invoke(
                Map.of("name", "hello", "body", Map.of("name", "Ada")),
                Map.of("name", "hello", "method", "GET"),
                Map.of("name", "hello", "body", Map.of("what", "stream")),
                Map.of("name", "hello", "body", Map.of("what", "throw")),
                Map.of("name", "hello", "body", Map.of("what", "refuse")),
                Map.of("name", "nobody"),
                Map.of("name", "hello", "key", "svc_anon_wrong"));

        assertThat(seen.at("/0/data/message").asText()).isEqualTo("Hello, Ada!");
        assertThat(seen.at("/1/data/message").asText()).isEqualTo("Hello, world!");
        assertThat(seen.at("/2/data/text").asText()).isEqualTo("data: 1\n\ndata: 2\n\ndata: 3\n\n");
        assertThat(seen.at("/2/data/seenBeforeEnd").asBoolean()).isTrue();
        // SPEC 7: a failure of the function is 500 with error, message and request_id.
        assertThat(seen.at("/3/error").asText()).isEqualTo("http");
        assertThat(seen.at("/3/status").asInt()).isEqualTo(500);
        assertThat(seen.at("/3/answer").properties())
                .extracting(Map.Entry::getKey)
                .contains("error", "message", "request_id");
        assertThat(seen.at("/4/error").asText()).isEqualTo("http");
        assertThat(seen.at("/4/status").asInt()).isEqualTo(422);
        assertThat(seen.at("/5/error").asText()).isEqualTo("relay");
        assertThat(seen.at("/6/error").asText()).isEqualTo("relay");
    }

    @Test
    void theLogNamesPlacesOfTheSource() throws Exception {
        invoke(Map.of("name", "hello", "body", Map.of("what", "throw")));
        awaitTrue(
                "the log names file and line of the error",
                () -> platform.controlPlane()
                        .get("/projects/" + ref() + "/functions/hello/logs")
                        .expect(200)
                        .toString()
                        .contains("index.ts:4:"));
    }

    @Test
    void aSecretReachesTheFunctionWithoutADeploy() throws Exception {
        platform.controlPlane()
                .put(
                        "/projects/" + ref() + "/functions/secrets",
                        Map.of("functionName", "hello", "key", "WORD", "value", "open sesame"))
                .expect(200);
        awaitTrue(
                "the function sees its secret",
                () -> invoke(Map.of("name", "hello", "method", "GET"))
                        .at("/0/data/word")
                        .asText()
                        .equals("open sesame"));
        var listed = platform.controlPlane()
                .get("/projects/" + ref() + "/functions/secrets")
                .expect(200);
        assertThat(listed.toString()).contains("WORD").doesNotContain("open sesame");
    }

    @Test
    void aFunctionReachesItsProject() throws Exception {
        platform.controlPlane()
                .query(ref(), "create table words (word text); insert into words values ('found')")
                .expect(201);
        awaitTrue(
                "the function reads its project",
                () -> invoke(Map.of("name", "hello", "body", Map.of("what", "rows")))
                        .at("/0/data/0/word")
                        .asText()
                        .equals("found"));
    }

    @Test
    void withoutVerifyJwtNoKeyIsNeeded() throws Exception {
        deploy(Map.of("name", "hook", "source", "export default () => new Response('open')", "verify_jwt", false));
        var url = URI.create(platform.connection().pathUrl(ref()) + "/functions/v1/hook");
        ControlPlane.send(HttpRequest.newBuilder(url)).expect(200);
        ControlPlane.send(HttpRequest.newBuilder(
                        URI.create(platform.connection().pathUrl(ref()) + "/functions/v1/hello")))
                .expect(401);
    }

    @Test
    void whatDoesNotStartIsRefusedAndTheOldVersionServesOn() throws Exception {
        deploy(Map.of("name", "kept", "source", "export default () => new Response('one')"));
        var refused = platform.controlPlane()
                .post(
                        "/projects/" + ref() + "/functions/deploy",
                        Map.of("name", "kept", "source", "export default () => { this is no code"));
        assertThat(refused.status()).isBetween(400, 499);
        var url = URI.create(platform.connection().pathUrl(ref()) + "/functions/v1/kept");
        assertThat(ControlPlane.send(HttpRequest.newBuilder(url).header("apikey", key()))
                        .expect(200)
                        .response()
                        .body())
                .isEqualTo("one");
    }

    @Test
    void anIdleFunctionStopsAndTheNextCallStartsIt() throws Exception {
        deploy(Map.of("name", "idle", "source", "export default () => new Response('awake')"));
        String resource = Program.kubectl(
                        platform,
                        "get",
                        "edgefunctions",
                        "-n",
                        "svc",
                        "-o",
                        "jsonpath={.items[?(@.spec.name=='idle')].metadata.name}")
                .strip();
        Program.kubectl(
                platform,
                "patch",
                "edgefunction",
                resource,
                "-n",
                "svc",
                "--type=merge",
                "-p",
                "{\"spec\":{\"scale\":{\"idleSeconds\":10}}}");
        awaitTrue(
                "no process runs",
                () -> Program.kubectl(
                                platform,
                                "get",
                                "pods",
                                "-n",
                                "svc",
                                "-l",
                                "svc.platform/function=fn-" + resource,
                                "-o",
                                "name")
                        .isBlank());
        var url = URI.create(platform.connection().pathUrl(ref()) + "/functions/v1/idle");
        assertThat(ControlPlane.send(HttpRequest.newBuilder(url).header("apikey", key()))
                        .expect(200)
                        .response()
                        .body())
                .isEqualTo("awake");
    }

    @Test
    void aManifestMakesAFunction() throws Exception {
        Program.kubectl(platform, "apply", "-f", "config/samples/project.yaml", "-f", "config/samples/function.yaml");
        try {
            Program.kubectl(platform, "wait", "edgefunction/shop-hello", "--for=condition=Ready", "--timeout=180s");
            String ref = Program.kubectl(platform, "get", "project", "shop", "-o", "jsonpath={.status.ref}");
            String key = Program.kubectl(platform, "get", "project", "shop", "-o", "jsonpath={.status.anonKey}");
            awaitTrue(
                    "the sample answers",
                    () -> invoke(
                                    platform.connection().pathUrl(ref),
                                    key,
                                    Map.of("name", "hello", "body", Map.of("name", "Ada")))
                            .at("/0/data/message")
                            .asText()
                            .equals("Hello, Ada!"));
        } finally {
            Program.kubectl(platform, "delete", "-f", "config/samples/function.yaml", "--timeout=180s");
            Program.kubectl(platform, "delete", "project", "shop", "--timeout=180s");
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void awaitTrue(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + SharedPlatform.MAX_WAIT.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(200);
        }
    }
}
