package svc.server.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static svc.server.testing.Patience.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Bodies are streamed in both directions with back-pressure; a failure on one side ends both. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@Timeout(120)
class StreamingTest {
    private static HttpClient http;

    @Inject
    KubernetesClient client;

    @Inject
    FunctionLog log;

    private final ProjectForTests project = ProjectForTests.create("streams");

    @BeforeAll
    static void start() {
        http = FunctionForTests.vertx().createHttpClient(new HttpClientOptions().setKeepAlive(false));
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    private static int port() {
        return ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
    }

    private static <T> T get(io.vertx.core.Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private HttpClientRequest open(HttpMethod method, String path) {
        return get(http.request(new RequestOptions()
                        .setServer(SocketAddress.inetSocketAddress(port(), "127.0.0.1"))
                        .setHost(project.ref() + ".data.example")
                        .setPort(80)
                        .setMethod(method)
                        .setURI("/functions/v1/" + path)))
                .putHeader("apikey", project.anonKey());
    }

    private FunctionForTests function(String name) {
        return FunctionForTests.create(client, project, name);
    }

    @Test
    void aStreamOfEventsIsNotHeldBack() throws Exception {
        var process = new CompletableFuture<HttpServerRequest>();
        try (var function = function("events").serving(process::complete)) {
            HttpClientRequest request = open(HttpMethod.GET, "events");
            var answer = request.send().toCompletionStage().toCompletableFuture();
            HttpServerRequest served = process.get(20, TimeUnit.SECONDS);
            served.response().setChunked(true).putHeader("content-type", "text/event-stream");
            served.response().write(Buffer.buffer());
            // The head alone tells that the stream is open.
            HttpClientResponse head = answer.get(20, TimeUnit.SECONDS);
            assertThat(head.getHeader("content-type")).isEqualTo("text/event-stream");
            List<String> events = new CopyOnWriteArrayList<>();
            head.handler(piece -> events.add(piece.toString()));
            for (int i = 1; i <= 3; i++) {
                served.response().write("data: " + i + "\n\n");
                int seen = i;
                await().until(() -> events.size() == seen);
            }
            // The function learns that the client disconnected.
            var gone = new AtomicBoolean();
            served.response().closeHandler(closed -> gone.set(true));
            request.reset();
            await().untilTrue(gone);
            assertThat(function.replicas()).isEqualTo(1);
        }
    }

    @Test
    void aBodyReachesTheFunctionWhileItIsSent() throws Exception {
        List<String> pieces = new CopyOnWriteArrayList<>();
        try (var function = function("upload").serving(request -> {
            request.handler(piece -> pieces.add(piece.toString()));
            request.endHandler(end -> request.response().end(String.join("", pieces)));
        })) {
            HttpClientRequest request = open(HttpMethod.POST, "upload").setChunked(true);
            var body = request.response().compose(HttpClientResponse::body);
            request.write("one,");
            await().until(() -> pieces.size() == 1);
            request.write("two,");
            await().until(() -> pieces.size() == 2);
            request.end("three");
            assertThat(get(body).toString()).isEqualTo("one,two,three");
            assertThat(function.replicas()).isEqualTo(1);
        }
    }

    @Test
    void aCallerThatDoesNotReadHoldsTheFunctionBack() throws Exception {
        var written = new AtomicLong();
        var full = new AtomicBoolean();
        Buffer piece = Buffer.buffer(new byte[64 << 10]);
        try (var function = function("slow").serving(request -> {
            request.response().setChunked(true);
            Runnable[] more = new Runnable[1];
            more[0] = () -> {
                while (!request.response().writeQueueFull() && written.get() < 15 << 20) {
                    written.addAndGet(piece.length());
                    request.response().write(piece);
                }
                if (written.get() < 15 << 20) {
                    full.set(true);
                    request.response().drainHandler(room -> more[0].run());
                } else {
                    request.response().end();
                }
            };
            more[0].run();
        })) {
            var received = new AtomicLong();
            HttpClientResponse answer = get(open(HttpMethod.GET, "slow").send().map(HttpClientResponse::pause));
            await().untilTrue(full);
            long before;
            do {
                before = written.get();
                Thread.sleep(300);
            } while (before != written.get());
            // Bytes in transit fit into the buffers of three sockets.
            assertThat(written.get()).isLessThan(12 << 20);
            answer.handler(bytes -> received.addAndGet(bytes.length()));
            answer.resume();
            await().until(() -> received.get() == 15 << 20);
            assertThat(function.replicas()).isEqualTo(1);
        }
    }

    @Test
    void aSilentBodyIsNotWaitedForAndDelaysNoOtherCall() throws Exception {
        try (var function = function("loris")
                .serving(request ->
                        request.body().onSuccess(body -> request.response().end("done")))) {
            HttpClientRequest silent = open(HttpMethod.POST, "loris").putHeader("content-length", "10");
            silent.write("1");
            assertThat(function.http()
                            .send("POST", "/functions/v1/loris", "quick")
                            .text())
                    .isEqualTo("done");
            HttpClientResponse refused = get(silent.response());
            assertThat(refused.statusCode()).isEqualTo(408);
            assertThat(refused.getHeader("access-control-allow-origin")).isEqualTo("*");
        }
    }

    @Test
    void aProcessThatEndsBeforeItAnswersIs502() {
        try (var function =
                function("dies").serving(request -> request.connection().close())) {
            Http.Answer answer = function.http().send("POST", "/functions/v1/dies", "x");
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.json().get("code").asText()).isEqualTo("WORKER_ERROR");
            assertThat(answer.header("access-control-allow-origin")).hasValue("*");
            String requestId = answer.header("x-request-id").orElseThrow();
            // What ended, by lack of memory above all, could not write a line itself.
            await().untilAsserted(() -> assertThat(
                            log.read(project.identity().projectId(), "dies", Optional.empty(), 10))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.event()).isEqualTo(LogLine.Event.ERROR);
                        assertThat(line.requestId()).hasValue(requestId);
                        assertThat(line.message()).contains("WORKER_ERROR", "memory");
                    }));
        }
    }

    @Test
    void aProcessThatEndsInTheMiddleBreaksTheAnswerOff() {
        try (var function = function("breaks").serving(request -> {
            request.response().setChunked(true).write("half");
            FunctionForTests.vertx().setTimer(100, late -> request.connection().close());
        })) {
            HttpClientResponse answer = get(open(HttpMethod.GET, "breaks").send());
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> answer.body()
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS));
            assertThat(function.replicas()).isEqualTo(1);
        }
    }

    @Test
    void aProcessThatCannotBeReachedIsPassedOver() {
        try (var function =
                function("stale").serving(request -> request.response().end("here"))) {
            // One announced process is gone already, before the watch reports it.
            function.tell(List.of("7.sock", "0.sock"), java.util.Map.of());
            for (int i = 0; i < 10; i++) {
                assertThat(function.http()
                                .send("POST", "/functions/v1/stale", "x")
                                .text())
                        .isEqualTo("here");
            }
        }
    }

    @Test
    void aCallUnderWayStaysWithItsProcessWhenAnotherVersionTakesOver() throws Exception {
        var old = new CompletableFuture<HttpServerRequest>();
        try (var function = function("rolls").serving(old::complete)) {
            var first = open(HttpMethod.GET, "rolls").send().compose(HttpClientResponse::body);
            HttpServerRequest underWay = old.get(20, TimeUnit.SECONDS);
            List<?> before = function.known();
            function.listen(request -> request.response().end("new"));
            function.tell(List.of("1.sock"), java.util.Map.of());
            // A call that the old process gets would not be answered.
            await().until(() ->
                    function.known().size() == 1 && !function.known().equals(before));
            assertThat(function.http().get("/functions/v1/rolls").text()).isEqualTo("new");
            underWay.response().end("old");
            assertThat(get(first).toString()).isEqualTo("old");
        }
    }

    @Test
    void aWebSocketPassesBothWays() throws Exception {
        try (var function = function("socket")
                .serving(request -> request.toWebSocket()
                        .onSuccess(socket -> socket.textMessageHandler(text -> {
                            if (text.equals("bye")) {
                                socket.close((short) 4001, "asked");
                            } else {
                                socket.writeTextMessage("echo " + text);
                            }
                        })))) {
            var options = new WebSocketConnectOptions();
            options.setHost("127.0.0.1")
                    .setPort(port())
                    .addHeader("Host", project.ref() + ".data.example")
                    .setURI("/functions/v1/socket?apikey=" + project.anonKey());
            WebSocket socket =
                    get(FunctionForTests.vertx().createWebSocketClient().connect(options));
            List<String> messages = new CopyOnWriteArrayList<>();
            var closed = new CompletableFuture<Short>();
            socket.textMessageHandler(messages::add);
            socket.closeHandler(end -> closed.complete(socket.closeStatusCode()));
            socket.writeTextMessage("one");
            socket.writeTextMessage("two");
            await().until(() -> messages.equals(List.of("echo one", "echo two")));
            socket.writeTextMessage("bye");
            assertThat(closed.get(20, TimeUnit.SECONDS)).isEqualTo((short) 4001);
            assertThat(function.replicas()).isEqualTo(1);
        }
    }
}
