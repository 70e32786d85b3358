package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.embedded.process.FreePort;

/** A function's process has its code from the data plane and its lines go there, on one machine and as in a pod. */
class RuntimeUpstreamTest extends FunctionsTest {
    private static final String CODE = """
            export default () => { console.log("said by the function"); return new Response(Deno.env.get("GREETING")); };
            """;
    private static final String ARCHIVES = "/functions/v1/_runtime/archives/";
    private static final String LOGS = "/functions/v1/_runtime/logs/upstream";

    private static final Vertx VERTX = Vertx.vertx();
    private static final List<String> LINES = new CopyOnWriteArrayList<>();
    private static final AtomicInteger REFUSALS = new AtomicInteger();
    private static byte[] archive;
    private static HttpServer dataPlane;

    @BeforeAll
    static void startDataPlane() throws Exception {
        archive = new ObjectMapper().writeValueAsBytes(Map.of("bundle", CODE));
        dataPlane = VERTX.createHttpServer()
                .requestHandler(RuntimeUpstreamTest::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        runner.close();
        PodRunner.Settings alone = settings();
        runner = PodRunner.start(
                kubernetes,
                new PodRunner.Settings(
                        alone.folder(),
                        alone.sandbox(),
                        Optional.of(new InetSocketAddress("127.0.0.1", dataPlane.actualPort())),
                        alone.dataHost()));
    }

    @AfterAll
    static void stopDataPlane() throws Exception {
        VERTX.close().toCompletionStage().toCompletableFuture().get();
    }

    private static void answer(HttpServerRequest request) {
        boolean known = ("Bearer " + TOKEN).equals(request.getHeader("Authorization"));
        if (!known) {
            request.response().setStatusCode(401).end();
        } else if (REFUSALS.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            request.response().setStatusCode(503).end();
        } else if (request.path().startsWith(ARCHIVES)) {
            request.response().end(io.vertx.core.buffer.Buffer.buffer(archive));
        } else if (request.path().equals(LOGS)) {
            request.body().onSuccess(body -> {
                body.toString().lines().forEach(LINES::add);
                request.response().setStatusCode(204).end();
            });
        } else {
            request.response().setStatusCode(404).end();
        }
    }

    private static String address(String host, String path) {
        return "http://" + host + ":" + dataPlane.actualPort() + path;
    }

    private static String hash() throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
    }

    private static boolean wasPosted(String text) {
        return LINES.stream().anyMatch(line -> line.contains(text));
    }

    private static Map<String, String> variables(String host, String hash) {
        return Map.of(
                "SVC_RUNTIME_BUNDLE", address(host, ARCHIVES + hash),
                "SVC_RUNTIME_LOGS", address(host, LOGS),
                "GREETING", "hello");
    }

    @Test
    void onOneMachineTheRunnerFetchesTheCodeAndLinesGoThroughTheSocket() throws Exception {
        deploy("upstream", "not this code", variables("abcdefgh.localhost", hash()));
        LINES.clear();
        assertThat(call("upstream", "/").body()).isEqualTo("hello");
        await("the line is posted", () -> wasPosted("said by the function"));
        assertThat(LINES).noneMatch(line -> line.contains(TOKEN));
    }

    /** More than the gateway's socket takes at a time: the rest waits in the function's own process. */
    @Test
    void aFunctionMayAskItsProjectHundredsOfTimesAtOnce() throws Exception {
        deploy("many", """
                const ask = () => fetch(Deno.env.get("SVC_URL") + "/rest/v1/x", { headers: { authorization: "Bearer %s" } });
                export default async () => {
                  const answers = await Promise.all(Array.from({ length: 400 }, ask));
                  return Response.json([...new Set(answers.map((answer) => answer.status))]);
                };""".formatted(TOKEN), Map.of("SVC_URL", address("abcdefgh.localhost", "")));
        assertThat(call("many", "/").body()).isEqualTo("[404]");
    }

    @Test
    void aFunctionThatHoldsConnectionsTakesNoneOfItsNeighbours() throws Exception {
        deploy(
                "greedy",
                """
                const held = [];
                const open = async () => {
                  try {
                    const connection = await Deno.connect({ transport: "unix", path: "%s" });
                    held.push(connection);
                    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\\r\\nhost: x"));
                    return await connection.read(new Uint8Array(1)) ?? "closed";
                  } catch { return "closed"; }
                };
                export default async () => {
                  const outcomes = Array.from({ length: 900 }, open);
                  let closed = 0;
                  for (const outcome of outcomes) outcome.then(() => closed++);
                  while (closed < 900 - 128) await new Promise((done) => setTimeout(done, 10));
                  return new Response("the rest is closed");
                };""".formatted(socket("greedy").resolveSibling("g.sock")),
                Map.of("SVC_URL", address("abcdefgh.localhost", "")));
        deploy("modest", """
                export default async () => {
                  const headers = { authorization: "Bearer %s" };
                  return new Response(String((await fetch(Deno.env.get("SVC_URL") + "/rest/v1/x", { headers })).status));
                };""".formatted(TOKEN), Map.of("SVC_URL", address("abcdefgh.localhost", "")));

        assertThat(call("greedy", "/").body()).isEqualTo("the rest is closed");
        assertThat(call("modest", "/").body()).isEqualTo("404");
    }

    @Test
    void codeThatIsNotWhatItsHashSaysIsNotRun() throws Exception {
        declare("changed", "not this code", variables("abcdefgh.localhost", "0".repeat(64)), 1);
        await(
                "the pod says so",
                () -> pods("changed").stream()
                        .anyMatch(pod -> pod.getStatus().getContainerStatuses() != null
                                && pod.getStatus().toString().contains("does not match its hash")));
        try (var pod = new Pod(variables("127.0.0.1", "0".repeat(64)))) {
            assertThat(pod.end()).isEqualTo(1);
        }
    }

    @Test
    void inAPodTheProcessFetchesTheCodeItselfAgainAndAgainAndPostsItsLines() throws Exception {
        REFUSALS.set(2);
        LINES.clear();
        try (var pod = new Pod(variables("127.0.0.1", hash()))) {
            await("it is healthy", () -> pod.answers("/_runtime/health", "{\"status\":\"ok\"}"));
            assertThat(pod.answers("/upstream", "hello")).isTrue();
            await("its lines are posted", () -> wasPosted("said by the function") && wasPosted("GET 200"));
        }
    }

    /** The runner as a container starts it: the operator's variables, a port, no folder of its own. */
    private static final class Pod implements AutoCloseable {
        private final int port = FreePort.find();
        private final Process process;

        Pod(Map<String, String> variables) throws Exception {
            Path run = settings().sandbox().resolve("run");
            JsonNode permissions = new ObjectMapper().readTree(Files.readAllBytes(run.resolve("permissions.json")));
            List<String> command = new ArrayList<>(List.of(
                    settings()
                            .sandbox()
                            .resolve("node_modules/@deno/linux-x64-glibc/deno")
                            .toString(),
                    "run"));
            permissions.path("flags").forEach(flag -> command.add(flag.asText()));
            // The platform of this test is where a pod's never is: on loopback, which is open here.
            command.addAll(List.of(
                    "--allow-read=" + run,
                    "--deny-net=169.254.0.0/16",
                    run.resolve("main.ts").toString()));
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            variables.forEach((name, value) ->
                    builder.environment().put(name.startsWith("SVC_") ? name : "SVC_RUNTIME_ENV_" + name, value));
            builder.environment().put("SVC_RUNTIME_LISTEN", "tcp:127.0.0.1:" + port);
            builder.environment().put("SVC_RUNTIME_TOKEN", TOKEN);
            builder.environment().put("DENO_DIR", folder.resolve("pod").toString());
            this.process = builder.start();
        }

        boolean answers(String path, String body) {
            try {
                var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
                return HttpClient.newHttpClient()
                        .send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                        .body()
                        .equals(body);
            } catch (java.io.IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        int end() throws InterruptedException {
            return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
        }

        /** Returns when it has ended: it writes into the folder that the end of the class deletes. */
        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
