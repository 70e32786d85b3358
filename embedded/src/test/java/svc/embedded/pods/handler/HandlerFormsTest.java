package svc.embedded.pods.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.embedded.pods.FunctionsTest;
import svc.embedded.pods.SocketClient;

/** Everything that SPEC 4.10 calls a function answers, and what fails answers as SPEC 7 says. */
class HandlerFormsTest extends FunctionsTest {
    /** What std's serve does from 0.131 to 0.224: it listens, accepts, and speaks HTTP by Deno.serveHttp. */
    private static final String STD_SERVE = """
            async function serve(handler, options = {}) {
              const listener = Deno.listen({ port: options.port ?? 8000, hostname: "0.0.0.0", transport: "tcp" });
              for (;;) {
                const connection = await listener.accept();
                (async () => {
                  const http = Deno.serveHttp(connection);
                  for (;;) {
                    const event = await http.nextRequest();
                    if (event === null) break;
                    const response = await handler(event.request, { localAddr: listener.addr, remoteAddr: connection.remoteAddr });
                    await event.respondWith(response);
                  }
                })();
              }
            }
            await serve((request) => new Response("std " + new URL(request.url).pathname));
            """;

    @Test
    void everyFormOfHandlerAnswers() throws Exception {
        var forms = Map.of(
                "default-function", "export default async (request) => new Response('ok');",
                "default-fetch", "export default { text: 'ok', fetch() { return new Response(this.text); } };",
                "serve-handler", "Deno.serve(() => new Response('ok'));",
                "serve-options", "Deno.serve({ port: 1, onListen() {} }, () => new Response('ok'));",
                "serve-in-options", "Deno.serve({ port: 1, handler: () => new Response('ok') });",
                "serve-waits", "const s = Deno.serve(() => new Response('ok')); await s.finished;",
                "serve-on-error", "Deno.serve({ onError: () => new Response('ok') }, () => { throw new Error(); });");
        for (var form : forms.entrySet()) {
            deploy(form.getKey(), form.getValue());
            assertThat(call(form.getKey(), "/").body()).as(form.getKey()).isEqualTo("ok");
        }
        deploy("std-serve", STD_SERVE);
        assertThat(call("std-serve", "/a").body()).isEqualTo("std /a");
        assertThat(call("std-serve", "/b").body()).isEqualTo("std /b");
    }

    @Test
    void aPreflightIsAnsweredWithTheHeadersItNames() throws Exception {
        deploy("preflight", "export default () => new Response('the function itself');");
        var reply = SocketClient.send(
                socket("preflight"),
                "OPTIONS",
                "/",
                "Origin: https://app.test\r\nAccess-Control-Request-Method: POST\r\n"
                        + "Access-Control-Request-Headers: content-profile, x-project-ref, x-own",
                "");
        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.headers())
                .containsEntry("access-control-allow-headers", "content-profile, x-project-ref, x-own")
                .containsEntry("access-control-allow-origin", "*");
        assertThat(SocketClient.send(socket("preflight"), "OPTIONS", "/", "", "")
                        .body())
                .isEqualTo("the function itself");
    }

    @Test
    void failuresAre500WithCodeMessageRequestIdAndCors() throws Exception {
        var failing = Map.of(
                "no-syntax", List.of("const = 1;", "function_load_failed"),
                "no-module", List.of("import './nowhere.js';", "function_load_failed"),
                "no-host", List.of("import 'https://example.test/x.js';", "function_load_failed"),
                "no-handler", List.of("export const a = 1;", "function_load_failed"),
                "throws", List.of("export default () => { throw new Error('secret'); };", "function_threw"),
                "no-response", List.of("export default () => 'text';", "function_invalid_response"),
                "no-status",
                        List.of(
                                "export default () => new Response(null, { status: 101 });",
                                "function_invalid_response"));
        for (var each : failing.entrySet()) {
            deploy(each.getKey(), each.getValue().get(0));
            var reply = SocketClient.send(socket(each.getKey()), "GET", "/", "x-request-id: id-7", "");
            assertThat(reply.status()).as(each.getKey()).isEqualTo(500);
            assertThat(reply.headers()).containsEntry("access-control-allow-origin", "*");
            assertThat(json(reply).path("error").asText())
                    .as(each.getKey())
                    .isEqualTo(each.getValue().get(1));
            assertThat(json(reply).path("message").asText()).isNotEmpty().doesNotContain("secret");
            assertThat(json(reply).path("request_id").asText()).isEqualTo("id-7");
        }
        await("the log has the error under the request's id", () -> logSays("throws", "Error: secret"));
    }

    @Test
    void aBundleImportsWhatIsBuiltInAndNothingElse() throws Exception {
        deploy("importing", """
                import { Buffer } from "node:buffer";
                import * as path from "node:path";
                const later = [];
                for (const name of ["./beside.js", "file:///etc/passwd", "https://esm.sh/x", "npm:x"]) {
                  try { await import(name); later.push("GOT " + name); } catch { later.push("none"); }
                }
                export default async () => {
                  const { EOL } = await import("node:os");
                  const { a } = await import("data:text/javascript,export const a = 'data'");
                  const here = new URL("./x.txt", import.meta.url).pathname;
                  return Response.json([Buffer.from("hi").toString("hex"), path.join("a", "b"), EOL, a, here, import.meta.main, later]);
                };""");
        assertThat(call("importing", "/").body()).isEqualTo("""
                ["6869","a/b","\\n","data","/x.txt",false,["none","none","none","none"]]""");
        deploy("misspelt", "import { nothing } from 'node:path'; export default () => new Response(nothing);");
        assertThat(json(call("misspelt", "/")).path("message").asText()).contains("nothing");
        deploy("misplaced", "const a = 1;\nconst = 2;");
        assertThat(json(call("misplaced", "/")).path("message").asText()).contains("bundle.js:2:7");
    }

    @Test
    void anAnswerHasALengthIfItIsKnown() throws Exception {
        deploy("lengths", """
                const pieces = (headers) => {
                  let left = 3;
                  return new Response(new ReadableStream({
                    async pull(c) {
                      await new Promise((done) => setTimeout(done, 5));
                      if (left-- > 0) c.enqueue(new Uint8Array(1e5)); else c.close();
                    },
                  }), { headers });
                };
                const answers = {
                  "/small": () => new Response("four", { headers: { "content-length": "1" } }),
                  "/large": () => new Response(new Uint8Array(6e6)),
                  "/told": () => pieces({ "content-length": "300000" }),
                  "/wrong": () => pieces({ "content-length": "3e5" }),
                  "/short": () => pieces({ "content-length": "400000" }),
                  "/none": () => pieces({}),
                };
                export default (request) => answers[new URL(request.url).pathname]();""");
        assertThat(call("lengths", "/small").headers()).containsEntry("content-length", "4");
        var large = call("lengths", "/large");
        assertThat(large.headers()).containsEntry("content-length", "6000000");
        assertThat(large.whole()).isTrue();
        assertThat(call("lengths", "/told").headers()).containsEntry("content-length", "300000");
        for (String unknown : new String[] {"/wrong", "/none"}) {
            assertThat(call("lengths", unknown).headers())
                    .as(unknown)
                    .doesNotContainKey("content-length")
                    .containsEntry("transfer-encoding", "chunked");
        }
        assertThat(call("lengths", "/short").whole()).isFalse();
    }

    @Test
    void aFunctionSeesNothingOfItsMachineAndFailsOnNothing() throws Exception {
        deploy("machine", """
                import os, { hostname, cpus } from "node:os";
                import * as named from "node:os";
                export default async () => {
                  const later = await import("node:os");
                  for (const name of Object.keys(os)) {
                    if (typeof os[name] === "function" && name !== "setPriority") os[name]();
                  }
                  return Response.json([
                    hostname(), named.hostname(), later.hostname(), os.hostname(), Deno.hostname(), cpus().length,
                    os.userInfo().username, process.getuid(), Deno.networkInterfaces(), os.networkInterfaces(), os.EOL,
                  ]);
                };""");
        assertThat(call("machine", "/").body()).isEqualTo("""
                ["function","function","function","function","function",1,"function",65532,[],{},"\\n"]""");
    }

    @Test
    void theFolderTmpIsInMemory() throws Exception {
        String file = "svc-" + UUID.randomUUID() + ".txt";
        deploy("temporary", """
                import fs, { readFileSync, createReadStream, createWriteStream } from "node:fs";
                import { readFile } from "node:fs/promises";
                import { pipeline } from "node:stream/promises";
                const failure = async (work) => { try { return await work(); } catch (e) { return [e.name, e.code]; } };
                export default async () => {
                  const said = [];
                  await Deno.writeTextFile("/tmp/a.txt", "one");
                  await Deno.writeTextFile("/tmp/a.txt", " two", { append: true });
                  said.push(readFileSync("/tmp/a.txt", "utf8"), (await Deno.stat("/tmp/a.txt")).size);
                  await pipeline(createReadStream("/tmp/a.txt"), createWriteStream("/tmp/b.txt"));
                  said.push(await readFile("/tmp/b.txt", "utf8"));
                  await Deno.mkdir("/tmp/x/y", { recursive: true });
                  await Deno.rename("/tmp/b.txt", "/tmp/x/y/b.txt");
                  using file = await Deno.open("/tmp/x/y/b.txt", { read: true });
                  said.push(await new Response(file.readable).text());
                  for await (const { name } of Deno.readDir("/tmp/x")) said.push(name);
                  said.push(fs.existsSync(await Deno.makeTempFile()));
                  said.push(await failure(() => Deno.readFile("/tmp/none")));
                  said.push(await failure(() => fs.promises.readFile("/tmp/none")));
                  said.push(await new Promise((done) => fs.readFile("/tmp/none", (error) => done(error.code))));
                  said.push(await failure(() => Deno.writeFile("/tmp/big", new Uint8Array(65 << 20))));
                  await Deno.remove("/tmp/x", { recursive: true });
                  said.push(fs.existsSync("/tmp/x/y"));
                  return Response.json(said);
                };""".replace("a.txt", file));
        assertThat(call("temporary", "/").body()).isEqualTo("""
                ["one two",7,"one two","one two","y",true,["NotFound","ENOENT"],["Error","ENOENT"],"ENOENT",\
                ["Error","ENOSPC"],false]""");
        // What one function wrote is not there for another, nor on the machine.
        assertThat(Files.exists(Path.of("/tmp", file))).isFalse();
    }

    @Test
    void supabasesOwnVariablesAreThere() throws Exception {
        deploy(
                "variables",
                "export default () => Response.json([Deno.env.get('SB_REGION'), Deno.env.get('SB_EXECUTION_ID'),"
                        + " Deno.env.get('SUPABASE_DB_URL') ?? null]);",
                Map.of("SB_REGION", "mine"));
        assertThat(call("variables", "/").body()).matches("\\[\"mine\",\"[0-9a-f-]{36}\",null]");
    }

    @Test
    void placesInLogsAreThoseOfTheUsersFiles() throws Exception {
        String code = """
                const unused = 1;
                export default () => { console.error(new Error("logged")); throw new Error("thrown"); };""";
        String archive = new ObjectMapper()
                .writeValueAsString(Map.of(
                        "bundle",
                        code,
                        // Of its second line: column 0 is line 7, column 3 of the first file; column 37 the second
                        // file's line 1.
                        "origins",
                        Map.of("mappings", ";AAME,qCCNF", "sources", List.of("index.ts", "_shared/a.ts"))));
        deploy("traced", archive);
        assertThat(call("traced", "/").status()).isEqualTo(500);
        await("what was logged", () -> logSays("traced", "Error: logged\n    at Calls.default (_shared/a.ts:1:1"));
        await("what was thrown", () -> logSays("traced", "Error: thrown\n    at Calls.default (_shared/a.ts:1:1"));
    }

    @Test
    void bodiesStreamBothWaysWhileTheyAreMade() throws Exception {
        deploy("echo", "export default (request) => new Response(request.body);");
        try (SocketChannel channel = SocketClient.open(socket("echo"))) {
            SocketClient.write(
                    channel,
                    "POST / HTTP/1.1\r\nhost: f\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n");
            assertThat(readUntil(channel, "first")).contains("200 OK");
            SocketClient.write(channel, "6\r\nsecond\r\n0\r\n\r\n");
            assertThat(readUntil(channel, "0\r\n\r\n")).contains("second");
        }
    }

    @Test
    void aClientThatGoesAbortsTheRequestAndServerSentEventsEnd() throws Exception {
        deploy("events", """
                export default (request) => {
                  request.signal.addEventListener("abort", () => console.log("aborted"));
                  return new Response(new ReadableStream({
                    start(c) { this.t = setInterval(() => c.enqueue(new TextEncoder().encode("data: x\\n\\n")), 10); },
                    cancel() { clearInterval(this.t); console.log("cancelled"); },
                  }), { headers: { "content-type": "text/event-stream" } });
                };""");
        try (SocketChannel channel = SocketClient.open(socket("events"))) {
            SocketClient.write(channel, "GET / HTTP/1.1\r\nhost: f\r\n\r\n");
            assertThat(readUntil(channel, "data: x")).contains("text/event-stream");
        }
        await("the function knows", () -> logSays("events", "aborted") && logSays("events", "cancelled"));
    }

    @Test
    void webSocketsAreOpenedByTheFunction() throws Exception {
        deploy("socket", """
                export default (request) => {
                  const { socket, response } = Deno.upgradeWebSocket(request);
                  socket.onmessage = (event) => socket.send("echo " + event.data);
                  return response;
                };""");
        try (SocketChannel channel = SocketClient.open(socket("socket"))) {
            SocketClient.write(
                    channel,
                    "GET / HTTP/1.1\r\nhost: f\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                            + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            assertThat(readUntil(channel, "\r\n\r\n")).contains("101");
            // A masked text frame of "hi" with a mask of zeros.
            channel.write(ByteBuffer.wrap(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'}));
            assertThat(readUntil(channel, "echo hi")).isNotEmpty();
        }
    }

    @Test
    void workGivenToWaitUntilIsFinishedBeforeTheProcessStops() throws Exception {
        deploy("background", """
                export default () => {
                  EdgeRuntime.waitUntil(new Promise((done) => setTimeout(() => { console.log("finished"); done(); }, 300)));
                  return new Response("answered");
                };""");
        String pod = pods("background").getFirst().getMetadata().getName();
        var log = client.pods().inNamespace(NAMESPACE).withName(pod).watchLog();
        assertThat(call("background", "/").body()).isEqualTo("answered");
        scale("background", 0);
        try (log) {
            assertThat(new String(log.getOutput().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("finished")
                    .contains("\"stopped\"");
        }
    }

    @Test
    void logLinesCarryTheRequestThatTheyBelongTo() throws Exception {
        deploy("logging", """
                export default async (request) => {
                  await new Promise((done) => setTimeout(done, 5));
                  console.error("at %s", new URL(request.url).pathname, { a: 1 });
                  return new Response(Deno.env.get("GREETING"));
                };""", Map.of("GREETING", "hello"));
        var reply = SocketClient.send(socket("logging"), "GET", "/x", "x-request-id: id-8", "");
        assertThat(reply.body()).isEqualTo("hello");
        await("both lines are there", () -> logSays("logging", "at /x { a: 1 }") && logSays("logging", "GET 200"));
        assertThat(log("logging"))
                .anySatisfy(line -> {
                    assertThat(line.path("request_id").asText()).isEqualTo("id-8");
                    assertThat(line.path("level").asText()).isEqualTo("error");
                    assertThat(line.path("event").asText()).isEqualTo("log");
                })
                .anySatisfy(line -> assertThat(line.path("event").asText()).isEqualTo("request"));
    }

    private static String readUntil(SocketChannel channel, String end) throws Exception {
        var read = new StringBuilder();
        var in = Channels.newInputStream(channel);
        while (read.indexOf(end) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new AssertionError("the connection ended after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }
}
