package svc.platform.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import svc.embedded.slow.DrippingServer;
import svc.platform.memory.ByteBudget;

/** Documents whose host is slow count against the project that needs them, and delay no document of another project. */
class PublishedDocumentsTest {
    private static final CallOwner ATTACKER = new CallOwner("attackers", "attacker");
    private static final CallOwner NEIGHBOUR = new CallOwner("neighbours", "neighbour");
    private static final Duration LONG = Duration.ofSeconds(120);

    /** Of the calls of a project, those under way and those that wait. */
    private static final int MAX_OF_PROJECT = CallShares.MAX_CALLS_OF_PROJECT + CallShares.MAX_WAITING_OF_PROJECT;

    private final Vertx vertx = Vertx.vertx();
    private HttpServer web;
    private EgressClient client;
    private PublishedDocuments<String> documents;

    @BeforeEach
    void start() throws IOException {
        web = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        serveKeys();
        client = new EgressClient(
                vertx,
                new AddressRules(List.of(), List.of("127.0.0.1/32")),
                LONG,
                new HostLookup(List.of(), LONG),
                new ByteBudget(1 << 20));
        documents = new PublishedDocuments<>(client, Clock.systemUTC(), Duration.ofHours(1), text -> text);
    }

    @AfterEach
    void stop() {
        client.close();
        web.stop(0);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void serveKeys() {
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 4);
            exchange.getResponseBody().write("keys".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        web.start();
    }

    private String address() {
        return address(web.getAddress().getPort());
    }

    private static String address(int port) {
        return "http://127.0.0.1:" + port + "/keys";
    }

    private static void ended(Future<Void> fetch) {
        fetch.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    /** The address of the attacker has the host of the neighbour's, as tenants of one provider of pages have. */
    @Test
    void slowDocumentsOfOneProjectDelayNoneOfAnother() {
        try (var slow = DrippingServer.start("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")) {
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < MAX_OF_PROJECT; i++) {
                addresses.add(slow.url() + i);
            }
            documents.fresh(ATTACKER, addresses);
            await().until(() -> slow.open() == CallShares.MAX_CALLS_OF_PROJECT);

            ended(documents.fresh(NEIGHBOUR, List.of(address())));
            assertThat(documents.known(address())).contains("keys");
            assertThat(slow.maxOpen()).isEqualTo(CallShares.MAX_CALLS_OF_PROJECT);
        }
    }

    /** Neither a fetch that waits nor one that was refused is in the way of another project that needs the same. */
    @Test
    void aProjectWithoutPlacesKeepsNoDocumentFromAnother() {
        try (var slow = DrippingServer.start("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")) {
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < MAX_OF_PROJECT - 1; i++) {
                addresses.add(slow.url() + i);
            }
            documents.fresh(ATTACKER, addresses);
            await().until(() -> slow.open() == CallShares.MAX_CALLS_OF_PROJECT);
            Future<Void> waits = documents.fresh(ATTACKER, List.of(address() + "/waits"));
            ended(documents.fresh(ATTACKER, List.of(address() + "/refused")));
            assertThat(waits.isComplete()).isFalse();
            assertThat(documents.known(address() + "/refused")).isEmpty();

            ended(documents.fresh(NEIGHBOUR, List.of(address() + "/waits", address() + "/refused")));
            assertThat(documents.known(address() + "/waits")).contains("keys");
            assertThat(documents.known(address() + "/refused")).contains("keys");
        }
    }

    /** A call that waited for its place fails at an address that is well. */
    @Test
    void aFailureOfOneProjectIsNoPauseForAnother() throws IOException {
        int port = web.getAddress().getPort();
        web.stop(0);
        ended(documents.fresh(ATTACKER, List.of(address(port))));
        assertThat(documents.known(address(port))).isEmpty();

        web = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
        serveKeys();
        ended(documents.fresh(ATTACKER, List.of(address(port))));
        assertThat(documents.known(address(port)))
                .as("it is not asked again at once")
                .isEmpty();
        ended(documents.fresh(NEIGHBOUR, List.of(address(port))));
        assertThat(documents.known(address(port))).contains("keys");
    }

    @ParameterizedTest
    @CsvSource({
        "https://keys.example/a, https://keys.example/a",
        "https://user:secret@keys.example:8443/a, https://keys.example:8443/a",
        "https://keys.example/a?key=secret#secret, https://keys.example/a",
        "https://user:secret@[keys, an address that is no URI",
        "https:///a, an address without a host",
    })
    void theLogHasNoSecretOfAnAddress(String address, String shown) {
        assertThat(PublishedDocuments.shown(address)).isEqualTo(shown);
    }
}
