package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that shuts down answers requests that arrive and closes their connections. */
class DrainingTest {
    private static final int LIMIT_MILLIS = 20_000;

    private final Draining draining = new Draining();
    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    @BeforeEach
    void listen() throws Exception {
        Router router = Router.router(vertx);
        router.route().handler(context -> {
            draining.onEveryRequest(context);
            context.response().end("answer");
        });
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0)
                .toCompletionStage()
                .toCompletableFuture()
                .get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void end() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Test
    void aKeptConnectionIsClosedAfterItsNextAnswerWhichSaysSo() throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            client.setSoTimeout(LIMIT_MILLIS);
            String before = ask(client, "");
            draining.begin();
            String after = ask(client, "");

            assertThat(before).startsWith("HTTP/1.1 200 ").doesNotContainIgnoringCase("connection: close");
            assertThat(after).startsWith("HTTP/1.1 200 ").containsIgnoringCase("connection: close");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aConnectionThatChangesItsProtocolIsLeftAlone() throws IOException {
        draining.begin();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            client.setSoTimeout(LIMIT_MILLIS);

            assertThat(ask(client, "Connection: upgrade\r\nUpgrade: websocket\r\n"))
                    .doesNotContainIgnoringCase("connection: close");
        }
    }

    private static String ask(Socket client, String headers) throws IOException {
        client.getOutputStream()
                .write(("GET / HTTP/1.1\r\nHost: example\r\n" + headers + "\r\n").getBytes(StandardCharsets.US_ASCII));
        InputStream in = client.getInputStream();
        var answer = new StringBuilder();
        while (!answer.toString().endsWith("answer")) {
            answer.append((char) in.read());
        }
        return answer.toString();
    }
}
