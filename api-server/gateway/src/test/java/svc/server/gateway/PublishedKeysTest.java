package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.egress.AddressRules;
import svc.platform.egress.CallOwner;
import svc.platform.egress.EgressClient;

/**
 * Key sets of other issuers are fetched on demand, refreshed, kept while the issuer is unreachable, and never fetched
 * from internal addresses.
 */
class PublishedKeysTest {
    private static final CallOwner OWNER = new CallOwner("organization", "project");
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static volatile String body;
    private static volatile int status;
    private static Vertx vertx;
    private static HttpServer issuer;
    private static String url;

    private final MovedClock clock = new MovedClock();
    private PublishedKeys keys;

    private static final class MovedClock extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        vertx = Vertx.vertx();
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        issuer.createContext("/", exchange -> {
            CALLS.incrementAndGet();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        issuer.start();
        url = "http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks";
    }

    @AfterAll
    static void stop() {
        issuer.stop(0);
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @BeforeEach
    void fresh() {
        CALLS.set(0);
        keys = published(List.of("127.0.0.1/32"));
        answers(200, set("first"));
    }

    private PublishedKeys published(List<String> exempt) {
        return new PublishedKeys(
                new EgressClient(vertx, new AddressRules(List.of(), exempt), Duration.ofSeconds(30)), clock);
    }

    private static void answers(int code, String text) {
        status = code;
        body = text;
    }

    private static String set(String id) {
        try {
            return new JWKSet(
                            new ECKeyGenerator(Curve.P_256).keyID(id).generate().toPublicJWK())
                    .toString();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void join(Future<Void> done) {
        done.toCompletionStage().toCompletableFuture().join();
    }

    private void renew() {
        join(keys.fresh(OWNER, List.of(url)));
    }

    private List<String> ids() {
        return keys.known(url).stream()
                .flatMap(set -> set.getKeys().stream())
                .map(key -> key.getKeyID())
                .toList();
    }

    @Test
    void theyAreAskedForOnceAndAgainWhenTheyAreOld() {
        assertThat(ids()).isEmpty();
        List<Future<Void>> many = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            many.add(keys.fresh(OWNER, List.of(url)));
        }
        many.forEach(PublishedKeysTest::join);
        assertThat(ids()).containsExactly("first");
        assertThat(CALLS).hasValue(1);

        answers(200, set("second"));
        renew();
        assertThat(ids()).containsExactly("first");
        clock.now = clock.now.plus(Duration.ofMinutes(5));
        renew();
        assertThat(ids()).containsExactly("second");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no json", "{}", "{\"keys\": 1}", ""})
    void anIssuerThatAnswersNonsenseDoesNotTakeAwayWhatWasGood(String nonsense) {
        renew();
        answers(nonsense.isEmpty() ? 500 : 200, nonsense);
        clock.now = clock.now.plus(Duration.ofMinutes(6));
        renew();
        renew();

        assertThat(ids()).containsExactly("first");
        assertThat(CALLS).hasValue(2);
        clock.now = clock.now.plus(Duration.ofHours(25));
        assertThat(ids()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:secret@127.0.0.1/jwks",
                "http://[not-an-address/jwks",
                "http:///jwks",
                "ftp://127.0.0.1/jwks",
                "http://127.0.0.1:1/jwks",
            })
    void anUnreachableAddressGivesNoKeysAndStopsNoRequest(String address) {
        join(keys.fresh(OWNER, List.of(address, url)));
        join(keys.fresh(OWNER, List.of(address, url)));

        assertThat(keys.known(address)).isEmpty();
        assertThat(ids()).containsExactly("first");
    }

    @Test
    void noneComeFromInside() {
        keys = published(List.of());
        renew();

        assertThat(ids()).isEmpty();
        assertThat(CALLS).hasValue(0);
    }
}
