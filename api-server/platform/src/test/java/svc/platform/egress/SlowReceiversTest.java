package svc.platform.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.slow.DrippingServer;
import svc.platform.egress.EgressFailedException.Reason;
import svc.platform.memory.ByteBudget;

/** Receivers that never finish keep no connection beyond the deadline, and delay no call of another organisation. */
class SlowReceiversTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n";
    private static final CallOwner ATTACKER = new CallOwner("attackers", "attacker");
    private static final CallOwner NEIGHBOUR = new CallOwner("neighbours", "neighbour");
    private static final Duration LONG = Duration.ofSeconds(120);
    private static final int MAX_BYTES = 64 << 10;

    private final Vertx vertx = Vertx.vertx();
    private final ByteBudget memory = new ByteBudget(1 << 20);
    private HttpServer web;
    private EgressClient client;

    @BeforeEach
    void start() throws IOException {
        web = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        web.start();
        client = new EgressClient(
                vertx,
                new AddressRules(List.of(), List.of("127.0.0.1/32")),
                LONG,
                new HostLookup(List.of(), LONG),
                memory);
    }

    @AfterEach
    void stop() {
        client.close();
        web.stop(0);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private Future<EgressResponse> call(CallOwner owner, String address, Duration limit) {
        return client.call(
                owner,
                new EgressCall(HttpMethod.GET, URI.create(address), Map.of(), Buffer.buffer(), MAX_BYTES, limit));
    }

    private String neighbours() {
        String address = "http://127.0.0.1:" + web.getAddress().getPort() + "/";
        return ended(call(NEIGHBOUR, address, LONG)).body().toString();
    }

    private static <T> T ended(Future<T> call) {
        return call.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private static Reason reason(Future<EgressResponse> call) {
        ended(call.otherwiseEmpty());
        return ((EgressFailedException) call.cause()).reason();
    }

    @Test
    void aReceiverThatDripsIsCutOffAtTheDeadline() {
        try (var dripping = DrippingServer.start(HEAD)) {
            Future<EgressResponse> call = call(ATTACKER, dripping.url(), Duration.ofSeconds(1));
            await().until(() -> dripping.open() == 1);
            assertThat(neighbours()).isEqualTo("ok");
            assertThat(reason(call)).isEqualTo(Reason.LATE);
            await().until(() -> dripping.open() == 0);
        }
    }

    @Test
    void aReceiverWithoutEndIsCutOffAtTheLimitOfBytes() {
        try (var flooding = DrippingServer.flooding(HEAD)) {
            assertThat(reason(call(ATTACKER, flooding.url(), LONG))).isEqualTo(Reason.TOO_LONG);
            await().until(() -> flooding.open() == 0);
            await().until(() -> memory.held() == 0);
        }
    }

    @Test
    void aProjectHasAShareOfTheCallsAndItsNeighbourIsServed() {
        try (var dripping = DrippingServer.start(HEAD)) {
            List<Future<EgressResponse>> calls = new ArrayList<>();
            for (int i = 0; i < CallShares.MAX_CALLS_OF_PROJECT + CallShares.MAX_WAITING_OF_PROJECT; i++) {
                calls.add(call(ATTACKER, dripping.url(), LONG));
            }
            await().until(() -> dripping.open() == CallShares.MAX_CALLS_OF_PROJECT);
            assertThat(neighbours()).isEqualTo("ok");
            assertThat(calls).noneMatch(Future::isComplete);
            assertThatThrownBy(() -> ended(call(ATTACKER, dripping.url(), LONG)))
                    .hasMessageContaining("too many calls of the project are under way");
            assertThat(dripping.maxOpen()).isEqualTo(CallShares.MAX_CALLS_OF_PROJECT);
        }
    }

    @Test
    void anOrganisationOfManyProjectsLeavesItsNeighboursTheirCalls() {
        try (var dripping = DrippingServer.start(HEAD)) {
            for (int i = 0; i < CallShares.MAX_CALLS; i++) {
                call(new CallOwner("attackers", "attacker" + i), dripping.url(), LONG);
            }
            await().until(() -> dripping.open() > CallShares.MAX_CALLS / 2);
            assertThat(neighbours()).isEqualTo("ok");
            assertThat(dripping.maxOpen()).isLessThan(CallShares.MAX_CALLS * 3 / 4);
        }
    }

    /** Nothing else may end such a call first: the project reads the reason. */
    @Test
    void aReceiverThatIsSilentIsLateAndNotUnreachable() throws IOException {
        try (var silent = new ServerSocket(0, 1024, InetAddress.getByName("127.0.0.1"))) {
            String address = "http://127.0.0.1:" + silent.getLocalPort() + "/";
            for (int round = 0; round < 20; round++) {
                int millis = 100 + round;
                List<Future<EgressResponse>> calls = Stream.generate(
                                () -> call(ATTACKER, address, Duration.ofMillis(millis)))
                        .limit(CallShares.MAX_CALLS_OF_PROJECT)
                        .toList();
                assertThat(calls).extracting(SlowReceiversTest::reason).containsOnly(Reason.LATE);
            }
        }
    }

    /** A place that is kept by a call that is over would be lost until a restart. */
    @Test
    void callsThatEndReturnTheirPlaces() {
        try (var dripping = DrippingServer.start(HEAD)) {
            List<Future<EgressResponse>> calls = Stream.generate(
                            () -> call(ATTACKER, dripping.url(), Duration.ofMillis(300)))
                    .limit(CallShares.MAX_CALLS_OF_PROJECT * 3L)
                    .toList();
            calls.forEach(call -> assertThat(reason(call)).isIn(Reason.LATE, Reason.BUSY));
            await().until(() -> client.budgets().stream().allMatch(budget -> budget.held() == 0));
            assertThat(memory.held()).isZero();
        }
    }

    /** The project's receivers are slow; the key set that its tokens are verified with is not. */
    @Test
    void documentsHaveAShareOfTheirOwn() {
        try (var dripping = DrippingServer.start(HEAD)) {
            for (int i = 0; i < 2 * CallShares.MAX_CALLS_OF_PROJECT; i++) {
                call(NEIGHBOUR, dripping.url(), LONG);
            }
            await().until(() -> dripping.open() >= CallShares.MAX_CALLS_OF_PROJECT);
            String address = "http://127.0.0.1:" + web.getAddress().getPort() + "/";
            assertThat(ended(client.get(NEIGHBOUR, URI.create(address), MAX_BYTES))
                            .toString())
                    .isEqualTo("ok");
        }
    }
}
