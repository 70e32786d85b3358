package svc.platform.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.embedded.names.EmbeddedNames;
import svc.platform.memory.ByteBudget;

/** Names whose servers never answer delay only the calls to these names. */
class SlowNamesTest {
    private static final CallOwner OWNER = new CallOwner("organization", "project");

    private Vertx vertx;
    private HttpServer web;
    private EmbeddedNames names;
    private EgressClient client;

    @BeforeEach
    void start() throws IOException {
        vertx = Vertx.vertx();
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        web = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        web.start();
        names = new EmbeddedNames();
        client = new EgressClient(
                vertx,
                new AddressRules(List.of(), List.of("127.0.0.1/32")),
                Duration.ofSeconds(60),
                new HostLookup(List.of(names.address()), Duration.ofSeconds(60)),
                new ByteBudget(1 << 20));
    }

    @AfterEach
    void stop() {
        client.close();
        names.close();
        web.stop(0);
        vertx.close();
    }

    private Future<Buffer> get(String host) {
        return client.get(
                OWNER, URI.create("http://" + host + ":" + web.getAddress().getPort() + "/"), 100);
    }

    private static <T> T ended(Future<T> call) {
        return call.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void aNeighboursCallIsServedWhileAHundredNamesAreSilent() {
        List<Future<Buffer>> slow = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slow.add(get("slow" + i + ".test"));
            slow.add(get("slow" + i + ".test"));
        }
        assertThat(ended(get("good.test")).toString(StandardCharsets.US_ASCII)).isEqualTo("ok");
        // Every one of them is still waiting: no thread and no place was taken from the neighbour.
        assertThat(slow).noneMatch(Future::isComplete);
    }

    /** Many projects, or one that changes its settings again and again. */
    @Test
    void howeverManyNamesAreSilentANeighboursCallIsServed() {
        List<Future<Buffer>> slow = new ArrayList<>();
        for (int i = 0; i < HostLookup.MAX_LOOKUPS + 500; i++) {
            slow.add(get("slow" + i + ".test"));
        }
        names.awaitQuiet();
        assertThat(ended(get("good.test")).toString(StandardCharsets.US_ASCII)).isEqualTo("ok");
        assertThat(ended(Future.join(slow.subList(0, 500)).otherwiseEmpty()))
                .as("the oldest have given way")
                .isNull();
        assertThat(slow.getFirst().cause()).hasMessageContaining("too many names");
        assertThat(slow.getLast().isComplete()).isFalse();
    }

    @Test
    void aNameIsLookedUpOnceAtATime() {
        List<Future<Buffer>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            calls.add(get("good.test"));
        }
        calls.forEach(SlowNamesTest::ended);
        // A and AAAA, of the name alone or with the search domains of the machine.
        assertThat(names.queries()).isLessThan(50);
    }

    /** Some libraries take them for addresses. */
    @ParameterizedTest
    @ValueSource(strings = {"2130706433", "0x7f000001", "0x", "127.1", "good.0x7f", "1.2.3.4.5", "good.1."})
    void aNumberIsNoName(String host) throws Exception {
        try (var hosts = new HostLookup(List.of(names.address()), Duration.ofSeconds(60))) {
            assertThat(hosts.find(host).toCompletableFuture())
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableThat()
                    .withMessageContaining("not public");
            assertThat(names.queries()).isZero();
        }
    }

    @Test
    void anAddressInsideIsRefused() {
        assertThatThrownBy(() -> ended(get("inside.test"))).hasMessageContaining("not public");
        assertThatThrownBy(() -> ended(get("no..name"))).isInstanceOf(Exception.class);
    }
}
