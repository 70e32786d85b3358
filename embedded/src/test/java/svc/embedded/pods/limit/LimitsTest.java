package svc.embedded.pods.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.embedded.pods.FunctionsTest;
import svc.embedded.pods.SocketClient;

/** A function that takes more than it may fails alone: it says why, it serves again, its neighbour never notices. */
class LimitsTest extends FunctionsTest {
    /** By default a function has to load within its wall clock, which is not what these tests limit. */
    private static final String SLOW_BOOT = "60000";

    private static final Map<String, String> QUICK =
            Map.of("SVC_RUNTIME_WALL_CLOCK_MS", "1500", "SVC_RUNTIME_BOOT_MS", SLOW_BOOT);
    private static final Map<String, String> QUICK_TO_JUDGE = Map.of(
            "SVC_RUNTIME_WALL_CLOCK_MS", "1500",
            "SVC_RUNTIME_BLOCKED_MS", "1000",
            "SVC_RUNTIME_BOOT_MS", SLOW_BOOT);

    @BeforeAll
    static void deployNeighbour() throws Exception {
        deploy("neighbour", "export default () => new Response('fine');");
    }

    @Test
    void anEndlessLoopEndsAtTheLimitAndOthersOnItsThreadFailWithAReason() throws Exception {
        deploy("looping", """
                export default async (request) => {
                  const { pathname } = new URL(request.url);
                  if (pathname === "/loop") for (;;);
                  if (pathname === "/wait") await new Promise(() => {});
                  return new Response("fine");
                };""", QUICK_TO_JUDGE);
        assertThat(json(call("looping", "/wait")).path("error").asText()).isEqualTo("function_timeout");
        var waiting = CompletableFuture.supplyAsync(() -> uncheckedCall("looping", "/wait"));
        var looping = CompletableFuture.supplyAsync(() -> uncheckedCall("looping", "/loop"));
        assertThat(call("neighbour", "/").body()).isEqualTo("fine");
        assertThat(looping.get().status()).isEqualTo(500);
        assertThat(waiting.get().body()).containsAnyOf("function_blocked", "function_timeout");
        assertThat(looping.get().body()).containsAnyOf("function_blocked", "function_timeout");
        assertThat(call("looping", "/").body()).isEqualTo("fine");
    }

    @Test
    void aTopLevelThatNeverEndsIsALoadFailure() throws Exception {
        deploy("hanging", "for (;;);", Map.of("SVC_RUNTIME_BOOT_MS", "300"));
        var reply = call("hanging", "/");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(json(reply).path("error").asText()).isEqualTo("function_load_failed");
        assertThat(json(reply).path("message").asText()).contains("300 ms");
        assertThat(call("neighbour", "/").body()).isEqualTo("fine");
    }

    @Test
    void blockedBySharedMemoryOrByNestedThreadsItIsReplacedAllTheSame() throws Exception {
        deploy("atomics", """
                export default async (request) => {
                  if (new URL(request.url).pathname === "/wait") {
                    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
                  }
                  return new Response("fine");
                };""", QUICK);
        assertThat(call("atomics", "/wait").status()).isEqualTo(500);
        assertThat(call("atomics", "/").body()).isEqualTo("fine");
    }

    @Test
    void threadsBesideTheFunctionHurtItAlone() throws Exception {
        deploy("threads", """
                import { Worker } from "node:worker_threads";
                export default async (request) => {
                  const { pathname } = new URL(request.url);
                  if (pathname === "/spin") new Worker("for (;;);", { eval: true });
                  if (pathname === "/many") {
                    for (let i = 0; i < 500; i++) new Worker("setInterval(() => {}, 1e6)", { eval: true });
                    await new Promise(() => {});
                  }
                  return new Response("fine");
                };""", QUICK);
        assertThat(call("threads", "/spin").body()).isEqualTo("fine");
        assertThat(call("threads", "/").body()).isEqualTo("fine");
        assertThat(uncheckedCall("threads", "/many").status()).isNotEqualTo(200);
        assertThat(call("neighbour", "/").body()).isEqualTo("fine");
        await(
                "it serves again",
                () -> "fine".equals(uncheckedCall("threads", "/").body()));
    }

    @Test
    void memoryBombsEndTheProcessWhichComesBack() throws Exception {
        for (String bomb :
                new String[] {"hold.push(new Array(1e5).fill({}))", "hold.push(new Uint8Array(1e7).fill(1))"}) {
            String name = bomb.contains("Uint8Array") ? "bytes-bomb" : "heap-bomb";
            deploy(name, """
                    const hold = [];
                    export default (request) => {
                      if (new URL(request.url).pathname === "/bomb") for (;;) %s;
                      return new Response("fine");
                    };""".formatted(bomb));
            assertThat(uncheckedCall(name, "/bomb").status())
                    .as("the connection breaks, or we answer")
                    .isNotEqualTo(200);
            assertThat(call("neighbour", "/").body()).isEqualTo("fine");
            await(
                    "it serves again",
                    () -> endpoints(name).size() == 1
                            && uncheckedCall(name, "/").status() == 200);
            await("its end is told", () -> {
                var container =
                        pods(name).getFirst().getStatus().getContainerStatuses().getFirst();
                return container.getRestartCount() >= 1
                        && container.getLastState().getTerminated() != null
                        && container.getLastState().getTerminated().getReason().equals("OOMKilled");
            });
            await("its log says why", () -> logSays(name, "out of memory: the process took more than its 256 MB"));
        }
    }

    @Test
    void anAnswerHasALargestSize() throws Exception {
        deploy("large", """
                const large = () => new Uint8Array(30 << 20);
                const pieces = (headers) => new Response(new ReadableStream({
                  async pull(c) {
                    await new Promise((done) => setTimeout(done, 1));
                    c.enqueue(new Uint8Array(1e5));
                  },
                }), { headers });
                const answers = {
                  "/whole": () => new Response(large()),
                  "/text": () => new Response("x".repeat(2e6)),
                  "/told": () => pieces({ "content-length": "2000000" }),
                  "/endless": () => pieces({}),
                };
                export default (request) => (answers[new URL(request.url).pathname] ?? (() => new Response("fine")))();
                """, Map.of("SVC_RUNTIME_RESPONSE_LIMIT", "1000000"));
        for (String known : new String[] {"/whole", "/text", "/told"}) {
            var reply = call("large", known);
            assertThat(reply.status()).as(known).isEqualTo(502);
            assertThat(reply.whole()).as(known).isTrue();
            assertThat(reply.headers()).containsEntry("access-control-allow-origin", "*");
            assertThat(json(reply).path("code").asText()).isEqualTo("RESPONSE_TOO_LARGE");
            assertThat(json(reply).path("request_id").asText()).isNotEmpty();
        }
        await("the log says why", () -> logSays("large", "function_response_too_large"));
        // Its status is sent before its length is known.
        var endless = call("large", "/endless");
        assertThat(endless.whole()).isFalse();
        assertThat(endless.body().length()).isLessThanOrEqualTo(1_000_000);
        assertThat(call("large", "/").body()).isEqualTo("fine");
    }

    @Test
    void aBodyThatComesDropByDropDelaysNoOtherCall() throws Exception {
        deploy("slow", "export default async (r) => new Response(await r.text());", QUICK);
        try (SocketChannel channel = SocketClient.open(socket("slow"))) {
            SocketClient.write(
                    channel, "POST / HTTP/1.1\r\nhost: f\r\ncontent-length: 100\r\nconnection: close\r\n\r\nx");
            assertThat(SocketClient.send(socket("slow"), "POST", "/", "", "quick")
                            .body())
                    .isEqualTo("quick");
            await("the slow one is told", () -> logSays("slow", "function_timeout"));
        }
    }

    @Test
    void processesThreadsAndExitsStayTheFunctionsOwnAffair() throws Exception {
        deploy("leaving", """
                export default async (request) => {
                  const { pathname } = new URL(request.url);
                  if (pathname === "/exit") Deno.exit(0);
                  if (pathname === "/close") self.close();
                  if (pathname === "/reject") Promise.reject(new Error("stray"));
                  if (pathname === "/process") (await import("node:process")).default.exit(0);
                  return new Response("fine");
                };""", QUICK);
        assertThat(json(call("leaving", "/exit")).path("error").asText()).isEqualTo("function_exited");
        assertThat(call("leaving", "/close").status()).isEqualTo(500);
        assertThat(call("leaving", "/process").status()).isEqualTo(500);
        assertThat(call("leaving", "/reject").body()).isEqualTo("fine");
        assertThat(call("leaving", "/").body()).isEqualTo("fine");
    }

    private static SocketClient.Reply uncheckedCall(String name, String target) {
        try {
            return call(name, target);
        } catch (java.io.IOException e) {
            return new SocketClient.Reply(0, Map.of(), e.getMessage(), false);
        }
    }
}
