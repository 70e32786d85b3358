package svc.realtime.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.embedded.slow.DrippingServer;
import svc.platform.egress.EgressFailedException;
import svc.platform.egress.EgressFailedException.Reason;
import svc.platform.egress.EgressResponse;
import svc.platform.memory.ByteBudget;

/** A sidecar that never finishes its answer keeps neither the caller, nor memory, nor a connection. */
class SidecarAnswersTest {
    private static final Duration LONG = Duration.ofSeconds(120);

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = vertx.createHttpClient();
    private final ByteBudget memory = new ByteBudget(1 << 20);

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private Future<EgressResponse> answer(Duration limit, DrippingServer sidecar) {
        var client = new SidecarClient(vertx, limit);
        return http.request(HttpMethod.POST, sidecar.port(), "127.0.0.1", "/")
                .compose(request -> client.whole(
                        request, request.send("{}"), memory.account("project").open()));
    }

    private static void awaitFailure(Future<?> call) {
        await().atMost(Duration.ofSeconds(60)).until(call::isComplete);
        assertThat(call.failed()).isTrue();
    }

    private static Reason reason(Future<EgressResponse> call) {
        awaitFailure(call);
        return ((EgressFailedException) call.cause()).reason();
    }

    @Test
    void anAnswerWithoutEndIsCutOff() {
        try (var flooding = DrippingServer.flooding("HTTP/1.1 200 OK\r\n\r\n")) {
            assertThat(reason(answer(LONG, flooding))).isEqualTo(Reason.TOO_LONG);
            await().until(() -> flooding.open() == 0 && memory.held() == 0);
        }
    }

    @Test
    void anAnswerThatDripsIsCutOff() {
        try (var dripping = DrippingServer.start("HTTP/1.1 200 OK\r\n\r\n")) {
            assertThat(reason(answer(Duration.ofSeconds(1), dripping))).isEqualTo(Reason.LATE);
            await().until(() -> dripping.open() == 0 && memory.held() == 0);
        }
    }

    @Test
    void aSocketThatIsNeverOpenedIsGivenUp() {
        try (var dripping = DrippingServer.start("HTTP/1.1 101 Switching Protocols\r\nX: ")) {
            var client = new SidecarClient(vertx, Duration.ofSeconds(1));
            awaitFailure(http.request(HttpMethod.GET, dripping.port(), "127.0.0.1", "/")
                    .compose(client::upgrade));
            await().until(() -> dripping.open() == 0);
        }
    }
}
