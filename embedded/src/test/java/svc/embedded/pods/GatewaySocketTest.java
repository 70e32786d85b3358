package svc.embedded.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Through the gateway's socket a function reaches the hosts of projects, and nothing else that the gateway serves. */
class GatewaySocketTest {
    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final Vertx oneLoop =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    private HttpServer gateway;
    private GatewaySocket socket;

    @BeforeEach
    void start() throws Exception {
        gateway = vertx.createHttpServer(new HttpServerOptions().setMaxInitialLineLength(64 << 10))
                .webSocketHandler(near -> near.textMessageHandler(text -> near.writeTextMessage("echo " + text)))
                .requestHandler(GatewaySocketTest::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        socket = new FunctionGateway(
                        oneLoop,
                        new InetSocketAddress("127.0.0.1", gateway.actualPort()),
                        "localhost",
                        GatewayLimits.DEFAULT)
                .open(folder.resolve("g.sock"), new GatewayLimits.Holder("project", "function"));
    }

    @AfterEach
    void stop() throws Exception {
        socket.close();
        oneLoop.close().toCompletionStage().toCompletableFuture().get();
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    private static void answer(HttpServerRequest request) {
        if (request.path().equals("/broken")) {
            request.response()
                    .setChunked(true)
                    .write("the first part")
                    .onSuccess(written -> request.connection().close());
            return;
        }
        request.body()
                .onSuccess(
                        body -> request.response().end(request.getHeader("Host") + " " + request.uri() + " " + body));
    }

    @Test
    void aProjectsHostIsReachedWithItsPathAndBody() throws Exception {
        var reply = SocketClient.send(socket.path(), "POST", "/rest/v1/x?a=b", "", "body");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("f.localhost /rest/v1/x?a=b body");
    }

    @Test
    void theControlPlaneAndEverythingElseIsRefused() throws Exception {
        for (String host : new String[] {
            "127.0.0.1:8000",
            "localhost:8000",
            "api.f.localhost",
            "f.localhost.evil.test",
            "",
            "f.localhost@evil",
            "[::1]"
        }) {
            assertThat(exchange("GET /v1/projects HTTP/1.1\r\nhost: %s\r\nconnection: close\r\n\r\n".formatted(host)))
                    .as(host)
                    .doesNotContain("200 OK");
        }
        // The second request of a connection is read like the first.
        assertThat(exchange("GET /a HTTP/1.1\r\nhost: f.localhost\r\n\r\n"
                        + "GET /b HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"))
                .contains("f.localhost /a")
                .contains("404 Not Found")
                .doesNotContain("/b");
    }

    @Test
    void webSocketsPass() throws Exception {
        try (SocketChannel channel = SocketClient.open(socket.path())) {
            SocketClient.write(
                    channel,
                    "GET / HTTP/1.1\r\nhost: f.localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                            + "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            var in = Channels.newInputStream(channel);
            var read = new StringBuilder();
            while (read.indexOf("\r\n\r\n") < 0) {
                read.append((char) in.read());
            }
            assertThat(read.toString()).contains("101");
            channel.write(ByteBuffer.wrap(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'}));
            assertThat(new String(in.readNBytes(9), 2, 7, StandardCharsets.US_ASCII))
                    .isEqualTo("echo hi");
        }
    }

    @Test
    void anAnswerThatBreaksOffIsNotTakenForAWholeOne() throws Exception {
        assertThat(exchange("GET /broken HTTP/1.1\r\nhost: f.localhost\r\nconnection: close\r\n\r\n"))
                .contains("the first part")
                .doesNotContain("\r\n0\r\n");
    }

    @Test
    void anAddressIsAsLongAsTheGatewaysMayBe() throws Exception {
        String target = "/rest/v1/x?id=in.(" + "1".repeat(30_000) + ")";

        assertThat(SocketClient.get(socket.path(), target).body()).contains(target);
    }

    private String exchange(String request) throws Exception {
        try (SocketChannel channel = SocketClient.open(socket.path())) {
            SocketClient.write(channel, request);
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
