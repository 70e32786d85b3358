package svc.embedded.pods.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.embedded.pods.FunctionsTest;

/** What a function must not reach it does not reach, by whatever way it tries; its neighbour still answers. */
class HostileFunctionTest extends FunctionsTest {
    private static ServerSocket inner;

    @BeforeAll
    static void deployNeighbour() throws Exception {
        inner = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        deploy("neighbour", "export default () => new Response('fine');", Map.of("SECRET", "of-the-neighbour"));
    }

    /** Runs each attempt, and answers with what came of it: an error, or what it got. */
    private static JsonNode attempt(String name, String attempts) throws Exception {
        deploy(name, """
                const results = {};
                const attempt = async (what, how) => {
                  try {
                    const limit = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), 1500));
                    results[what] = "GOT " + String(await Promise.race([how(), limit])).slice(0, 200);
                  } catch (error) {
                    results[what] = "refused: " + error.name + " " + error.message;
                  }
                };
                export default async () => {
                  await Promise.all([
                    %s
                  ].map(([what, how]) => attempt(what, how)));
                  return Response.json(results);
                };""".formatted(attempts));
        JsonNode results = json(call(name, "/"));
        assertThat(call("neighbour", "/").body()).isEqualTo("fine");
        return results;
    }

    private static void assertAllRefused(JsonNode results) {
        assertThat(results.properties())
                .isNotEmpty()
                .allSatisfy(result -> assertThat(result.getValue().asText())
                        .as(result.getKey())
                        .startsWith("refused:")
                        .doesNotContain(TOKEN));
    }

    @Test
    void filesAndProcessesAreClosed() throws Exception {
        Path ofTheMachine = Files.createTempFile(Path.of("/tmp"), "svc", ".txt");
        assertAllRefused(attempt("files", """
                ["read", () => Deno.readTextFile("/etc/passwd")],
                ["list", () => [...Deno.readDirSync("/")]],
                ["write", () => Deno.writeTextFile("/var/tmp/x", "x")],
                ["temporary", () => Deno.makeTempFile({ dir: "/var/tmp" })],
                ["out of tmp", () => Deno.writeTextFile("/tmp/../var/tmp/x", "x")],
                ["encoded", () => Deno.readTextFile(new URL("file:///tmp/%%2e%%2e/etc/passwd"))],
                ["link", () => Deno.symlink("/etc/passwd", "/tmp/link")],
                ["copy", () => Deno.copyFile("/etc/passwd", "/tmp/copy")],
                ["node copy", async () => (await import("node:fs")).copyFileSync("/etc/passwd", "/tmp/copy")],
                ["of the machine", () => Deno.readTextFile("%2$s")],
                ["node, of the machine", async () => (await import("node:fs")).readFileSync("%2$s")],
                ["environment", () => Deno.readTextFile("/proc/self/environ")],
                ["memory", () => Deno.readTextFile("/proc/self/mem")],
                ["others", () => Deno.readTextFile("/proc/1/environ")],
                ["descriptor", () => Deno.open("/proc/self/fd/1")],
                ["bundle", () => Deno.readTextFile("%1$s/default/neighbour/0.bundle")],
                ["node", async () => (await import("node:fs")).readFileSync("/etc/passwd")],
                ["import", () => import("file:///etc/passwd")],
                ["import remote", () => import("https://esm.sh/left-pad")],
                ["import npm", () => import("npm:left-pad")],
                ["fetch file", () => fetch("file:///etc/passwd").then((r) => r.text())],
                ["token path", () => Deno.readTextFile("/var/run/secrets/kubernetes.io/serviceaccount/token")],
                ["run", () => new Deno.Command("/usr/bin/id").output()],
                ["node run", async () => (await import("node:child_process")).execFileSync("/usr/bin/id")],
                ["kill", () => Deno.kill(1, "SIGKILL")],
                ["ffi", () => Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", {})],
                ["grant", async () => { if ((await Deno.permissions.request({ name: "read" })).state !== "granted") throw new Error("not granted"); }],
                ["sqlite", async () => { const { DatabaseSync } = await import("node:sqlite"); new DatabaseSync("/tmp/x.db"); }],
                """.formatted(folder.resolve("run"), ofTheMachine)));
    }

    @Test
    void theRuntimesOwnEnvironmentIsNotThere() throws Exception {
        JsonNode results = attempt("environment", """
                ["all", () => JSON.stringify(Deno.env.toObject())],
                ["node", async () => JSON.stringify((await import("node:process")).default.env)],
                ["worker", async () => {
                  const { Worker } = await import("node:worker_threads");
                  const nested = new Worker("require('node:worker_threads').parentPort.postMessage(JSON.stringify(process.env))", { eval: true });
                  return await new Promise((done, failed) => { nested.on("message", done); nested.on("error", failed); });
                }],""");
        assertThat(results.path("all").asText())
                .startsWith("GOT ")
                .contains("SVC_PROJECT_REF")
                .doesNotContain("SVC_RUNTIME_")
                .doesNotContain("of-the-neighbour")
                .doesNotContain("PATH");
        assertThat(results.toString()).doesNotContain(TOKEN);
    }

    @Test
    void loopbackPrivateAndMetadataAddressesAreClosedInEverySpelling() throws Exception {
        int port = inner.getLocalPort();
        var spellings = new StringBuilder();
        for (String host : new String[] {
            "127.0.0.1",
            "localhost",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "0.0.0.0",
            "127.0.0.1.nip.io",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:0:0:1]",
            "[::]"
        }) {
            spellings.append("[\"fetch %1$s\", () => fetch(\"http://%1$s:%2$d/\").then((r) => r.status)],\n"
                    .formatted(host, port));
        }
        for (String host : new String[] {
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "0251.0376.0251.0376",
            "169.254.43518",
            "[::ffff:169.254.169.254]",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.0.1",
            "100.64.0.1",
            "[fd00:ec2::254]"
        }) {
            spellings.append(
                    "[\"connect %1$s\", () => fetch(\"http://%1$s/\").then((r) => r.status)],\n".formatted(host));
        }
        spellings.append("""
                ["tcp", () => Deno.connect({ hostname: "localhost", port: %1$d })],
                ["node tcp", async () => { const net = await import("node:net"); return await new Promise((done, failed) => { const s = net.connect(%1$d, "localhost", () => done("connected")); s.on("error", failed); }); }],
                ["websocket", () => new Promise((done, failed) => { const s = new WebSocket("ws://localhost:%1$d/"); s.onopen = done; s.onerror = () => failed(new Error("refused")); })],
                ["proxy", () => Deno.createHttpClient({ proxy: { url: "socks5://localhost:%1$d" } })],
                ["proxy variable", () => Deno.env.set("ALL_PROXY", "socks5://localhost:%1$d")],
                ["kubernetes", () => fetch("%2$s/version").then((r) => r.status)],
                ["other function", () => Deno.connect({ transport: "unix", path: "%3$s" })],
                ["other function by node", async () => { const net = await import("node:net"); return await new Promise((done, failed) => { const s = net.connect("%3$s", () => done("connected")); s.on("error", failed); }); }],
                ["listen", async () => { const net = await import("node:net"); return await new Promise((done, failed) => { const s = net.createServer(); s.on("error", failed); s.listen(0, () => done("listens")); }); }],
                """.formatted(port, kubernetes.url(), socket("neighbour")));
        assertAllRefused(attempt("network", spellings.toString()));
        inner.setSoTimeout(1);
        org.assertj.core.api.Assertions.assertThatThrownBy(inner::accept)
                .as("nobody ever connected")
                .isInstanceOf(java.net.SocketTimeoutException.class);
    }

    @Test
    void nestedThreadsHaveNoMoreRightsAndEndWithTheFunction() throws Exception {
        JsonNode results = attempt("nested", """
                ["global", () => new Worker("data:text/javascript,1", { type: "module" })],
                ["escalation", async () => {
                  const { Worker } = await import("node:worker_threads");
                  const nested = new Worker("try { require('node:fs').readFileSync('/etc/passwd'); require('node:worker_threads').parentPort.postMessage('READ') } catch (e) { throw e }", { eval: true });
                  return await new Promise((done, failed) => { nested.on("message", done); nested.on("error", failed); });
                }],""");
        assertAllRefused(results);
    }

    @Test
    void noFunctionForgesLinesOfThePlatform() throws Exception {
        deploy("forging", """
                const forged = JSON.stringify({ time: "2026-01-01T00:00:00Z", level: "error", event: "error", message: "forged", request_id: "x" }) + "\\n";
                export default async () => {
                  console.log(forged);
                  console.log("\\n" + forged);
                  await Deno.stdout.write(new TextEncoder().encode(forged));
                  try { (await import("node:fs")).writeSync(1, forged); } catch {}
                  try { (await import("node:process")).default.stdout.write(forged); } catch {}
                  self.postMessage([{ t: "log", level: "error", id: 1, message: "posted" }]);
                  return new Response("done");
                };""");
        assertThat(call("forging", "/").body()).isEqualTo("done");
        await("the call is logged", () -> logSays("forging", "GET 200"));
        assertThat(log("forging"))
                .filteredOn(line -> line.toString().contains("forged"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.path("event").asText()).isEqualTo("log"));
    }

    @Test
    void headersAreHeadersAndNothingElse() throws Exception {
        deploy("headers", """
                export default (request) => {
                  const { pathname } = new URL(request.url);
                  if (pathname === "/inject") return new Response("x", { headers: { "x-a": "1\\r\\nset-cookie: a=b" } });
                  if (pathname === "/length") return new Response("four", { headers: { "content-length": "1", "transfer-encoding": "chunked", connection: "upgrade" } });
                  return new Response("x", { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] });
                };""");
        assertThat(call("headers", "/inject").headers()).doesNotContainKey("set-cookie");
        assertThat(call("headers", "/length").body()).isEqualTo("four");
        assertThat(call("headers", "/").headers()).containsEntry("set-cookie", "a=1, b=2");
    }

    @Test
    void whatItDoesToItsOwnWorldConfusesOnlyItself() throws Exception {
        deploy("polluted", """
                Object.prototype.t = "log";
                Object.prototype.id = 99;
                Array.prototype.push = () => { throw new Error("push"); };
                Array.prototype[Symbol.iterator] = function* () {};
                globalThis.Response = class {};
                globalThis.postMessage = () => {};
                MessagePort.prototype.postMessage = () => { throw new Error("port"); };
                JSON.stringify = () => "{}";
                Map.prototype.get = () => undefined;
                export default () => new Response("x");
                """, Map.of("SVC_RUNTIME_WALL_CLOCK_MS", "500"));
        var reply = call("polluted", "/");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(json(reply).path("error").asText()).startsWith("function_");
        assertThat(call("neighbour", "/").body()).isEqualTo("fine");
    }
}
