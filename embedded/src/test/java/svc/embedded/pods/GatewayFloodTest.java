package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.TestApi.await;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.pods.GatewayLimits.Holder;
import svc.embedded.pods.GatewayLimits.Share;

/** A function that floods its way to the gateway gets its share of it; its neighbours' functions are served meanwhile. */
class GatewayFloodTest {
    private static final String HELD = "GET /held HTTP/1.1\r\nhost: f.localhost\r\n\r\n";
    private static final String UPGRADE = "GET / HTTP/1.1\r\nhost: f.localhost\r\nupgrade: websocket\r\n"
            + "connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final Vertx oneLoop =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
    private final List<SocketChannel> opened = new ArrayList<>();
    private HttpServer gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = vertx.createHttpServer()
                .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
                .requestHandler(request -> {
                    if (request.path().equals("/held") || request.path().startsWith("/functions/v1/")) {
                        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                        held.add(request);
                    } else {
                        request.response().end("fine");
                    }
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get();
    }

    @AfterEach
    void stop() throws Exception {
        for (SocketChannel channel : opened) {
            channel.close();
        }
        oneLoop.close().toCompletionStage().toCompletableFuture().get();
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    private FunctionGateway gateway(Share connections, Share calls, Duration headTime, Duration waitTime) {
        return gateway(connections, calls, headTime, LONG, waitTime);
    }

    private FunctionGateway gateway(
            Share connections, Share calls, Duration headTime, Duration idleTime, Duration waitTime) {
        return new FunctionGateway(
                oneLoop,
                new InetSocketAddress("127.0.0.1", gateway.actualPort()),
                "localhost",
                new GatewayLimits(connections, calls, headTime, idleTime, waitTime));
    }

    private Path socket(FunctionGateway gateway, String project, String function) throws IOException {
        return gateway.open(folder.resolve(project + "." + function), new Holder(project, function))
                .path();
    }

    /** Opens connections, and leaves those that stay open to the test. */
    private List<SocketChannel> hold(Path socket, int count, String text) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketClient.open(socket);
            channels.add(channel);
            opened.add(channel);
            try {
                SocketClient.write(channel, text);
            } catch (IOException e) {
                // Closed at once, as it should be.
                continue;
            }
        }
        return channels;
    }

    private static boolean isClosed(SocketChannel channel) {
        try {
            channel.configureBlocking(false);
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private static long closed(List<SocketChannel> channels) {
        return channels.stream().filter(GatewayFloodTest::isClosed).count();
    }

    @Test
    void thousandsOfConnectionsAreClosedAndTheNeighbourIsServed() throws Exception {
        FunctionGateway limited = gateway(new Share(20, 30, 100), new Share(8, 8, 8), LONG, LONG);
        Path hostile = socket(limited, "hostile", "a");
        Path neighbour = socket(limited, "neighbour", "b");

        List<SocketChannel> channels = hold(hostile, 1_000, "GET /half HTTP/1.1\r\nhost: f.loc");

        await("all but its share are closed", () -> closed(channels) == 980);
        assertThat(SocketClient.get(neighbour, "/").body()).isEqualTo("fine");
        List<SocketChannel> sibling = hold(socket(limited, "hostile", "c"), 20, "GET");
        await("a project has a share as well", () -> closed(sibling) == 10);
        assertThat(SocketClient.get(neighbour, "/").body()).isEqualTo("fine");
    }

    @Test
    void aProjectWithLessDisplacesOneWithMore() throws Exception {
        FunctionGateway limited = gateway(new Share(20, 20, 40), new Share(8, 8, 8), LONG, LONG);
        List<SocketChannel> first = hold(socket(limited, "first", "a"), 20, "GET");
        List<SocketChannel> second = hold(socket(limited, "second", "b"), 20, "GET");
        await("they have taken all", () -> connections(limited) == 40);

        assertThat(SocketClient.get(socket(limited, "neighbour", "c"), "/").body())
                .isEqualTo("fine");
        assertThat(closed(first) + closed(second)).isEqualTo(1);
    }

    @Test
    void aConnectionThatSaysNothingIsClosedAndItsPlaceIsFree() throws Exception {
        FunctionGateway limited = gateway(new Share(20, 20, 40), new Share(8, 8, 8), SHORT, LONG);
        Path hostile = socket(limited, "hostile", "a");

        List<SocketChannel> channels = hold(hostile, 20, "GET / HTTP/1.1\r\nx-slow: ");

        await("all are closed", () -> closed(channels) == 20);
        // A call of a slow machine may miss the deadline as well.
        await("their places are free", () -> answers(hostile));
    }

    @Test
    void aFloodOfCallsWaitsForItsTurnAndTheNeighbourDoesNot() throws Exception {
        FunctionGateway limited = gateway(new Share(100, 200, 400), new Share(8, 12, 16), LONG, LONG);
        List<SocketChannel> flood = hold(socket(limited, "hostile", "a"), 100, HELD);
        await("its share is under way", () -> held.size() == 8);
        hold(socket(limited, "hostile", "b"), 100, HELD);
        await("and that of its project", () -> held.size() == 12);

        assertThat(SocketClient.get(socket(limited, "neighbour", "c"), "/").body())
                .isEqualTo("fine");
        assertThat(most).hasValue(12);
        List<CompletableFuture<Void>> answers = flood.stream()
                .map(channel -> CompletableFuture.runAsync(() -> readFine(channel), THREADS))
                .toList();
        await("all of them are answered in the end", () -> {
            release();
            return answers.stream().allMatch(CompletableFuture::isDone);
        });
        assertThat(most).hasValue(12);
    }

    @Test
    void aCallThatWaitsTooLongReadsWhenToTryAgain() throws Exception {
        FunctionGateway limited = gateway(new Share(100, 100, 100), new Share(8, 8, 8), LONG, SHORT);
        Path hostile = socket(limited, "hostile", "a");
        hold(hostile, 8, HELD);
        await("its share is under way", () -> held.size() == 8);

        var reply = SocketClient.get(hostile, "/");

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.headers()).containsEntry("retry-after", "1");
        release();
        await("it is served again", () -> answers(hostile));
    }

    /** A function that waits for another of its project leaves that one's calls their turn. */
    @Test
    void callsOfFunctionsToFunctionsDoNotBlockTheirProject() throws Exception {
        FunctionGateway limited = gateway(new Share(100, 100, 100), new Share(8, 8, 8), LONG, LONG);
        hold(socket(limited, "project", "caller"), 8, "GET /functions/v1/callee HTTP/1.1\r\nhost: f.localhost\r\n\r\n");
        await("all of the caller's are under way", () -> held.size() == 8);

        assertThat(SocketClient.get(socket(limited, "project", "callee"), "/rest/v1/x")
                        .body())
                .isEqualTo("fine");
    }

    @Test
    void whoHangsUpGivesItsTurnBack() throws Exception {
        FunctionGateway limited = gateway(new Share(100, 100, 100), new Share(8, 8, 8), LONG, LONG);
        Path hostile = socket(limited, "hostile", "a");
        for (int i = 0; i < 20; i++) {
            for (SocketChannel channel : hold(hostile, 16, HELD)) {
                channel.close();
            }
        }

        await("it is served again", () -> answers(hostile));
        await("nothing is left", () -> connections(limited) == 0);
    }

    /** No deadline ends an open WebSocket; its place is free again when it has closed. */
    @Test
    void webSocketsStayOpenAndLeaveTheirPlaceWhenTheyClose() throws Exception {
        var head = Duration.ofSeconds(2);
        FunctionGateway limited = gateway(new Share(4, 4, 4), new Share(8, 8, 8), head, Duration.ofMillis(50), LONG);
        Path socket = socket(limited, "project", "a");
        for (int round = 0; round < 3; round++) {
            List<SocketChannel> channels = hold(socket, 4, UPGRADE);
            for (SocketChannel channel : channels) {
                assertThat(readUntil(channel, "\r\n\r\n")).contains("101");
            }
            if (round == 0) {
                // Longer than any deadline of a connection.
                Thread.sleep(head.plusMillis(100));
            }
            for (SocketChannel channel : channels) {
                channel.write(ByteBuffer.wrap(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'}));
                assertThat(readUntil(channel, "hi")).endsWith("hi");
                channel.close();
            }
            await("nothing is left", () -> connections(limited) == 0);
        }
        assertThat(SocketClient.get(socket, "/").body()).isEqualTo("fine");
    }

    private static boolean answers(Path socket) {
        try {
            return SocketClient.get(socket, "/").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private int connections(FunctionGateway limited) {
        var size = new CompletableFuture<Integer>();
        oneLoop.runOnContext(now -> size.complete(limited.connections().size()));
        return size.join();
    }

    private void release() {
        for (HttpServerRequest request = held.poll(); request != null; request = held.poll()) {
            underWay.decrementAndGet();
            request.response().end("fine");
        }
    }

    private static void readFine(SocketChannel channel) {
        assertThat(readUntil(channel, "fine")).contains("fine");
    }

    private static String readUntil(SocketChannel channel, String end) {
        var all = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(4_096);
        try {
            while (all.indexOf(end) < 0 && channel.read(buffer.clear()) >= 0) {
                all.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.toString();
    }
}
