package svc.management.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.quarkus.runtime.ShutdownEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Lines reach a receiver of OTLP over HTTP. */
class OtlpExportTest {
    private record Received(String path, String type, String key, String body) {}

    private final BlockingQueue<Received> received = new ArrayBlockingQueue<>(10);

    private HttpServer receiver() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            received.add(new Received(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    exchange.getRequestHeaders().getFirst("x-receiver-key"),
                    new String(body, StandardCharsets.ISO_8859_1)));
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void linesAreSentWithTheirProject() throws Exception {
        UUID project = UUID.randomUUID();
        HttpServer server = receiver();
        try {
            String endpoint = "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/logs";
            var export = new OtlpExport(LogsForTests.config(Optional.of(endpoint)));
            export.send(LogsForTests.request(project, Instant.now(), 1, "/rest/v1/todos", 500, 10));
            export.send(LogsForTests.message(project, Instant.now(), 6, 3, "permission denied"));
            export.stop(new ShutdownEvent());

            Received sent = received.poll(60, TimeUnit.SECONDS);
            assertThat(sent).isNotNull();
            assertThat(sent.path()).isEqualTo("/v1/logs");
            assertThat(sent.type()).isEqualTo("application/x-protobuf");
            assertThat(sent.key()).isEqualTo("of the receiver");
            assertThat(sent.body())
                    .contains(project.toString(), "edge_logs", "/rest/v1/todos", "postgres_logs", "permission denied");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aReceiverThatIsAwayStopsNothing() {
        var export = new OtlpExport(LogsForTests.config(Optional.of("http://127.0.0.1:1/v1/logs")));
        for (int i = 0; i < 1_000; i++) {
            export.send(LogsForTests.message(UUID.randomUUID(), Instant.now(), 6, 3, "line " + i));
        }
        export.stop(new ShutdownEvent());

        assertThat(received).isEmpty();
    }
}
