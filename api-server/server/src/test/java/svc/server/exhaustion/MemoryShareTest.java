package svc.server.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.memory.ByteBudget;
import svc.platform.memory.MemoryBudget;
import svc.server.testing.EchoService;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;
import svc.testing.RawConnection;

/**
 * Promise: what strangers send, and answers that no client reads, take a share of the memory; beside a project that uses all
 * of its share, another one is served, and everything is returned at the end. Anonymous callers have a part of it.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class MemoryShareTest {
    private static final int BODY_BYTES = 128 << 10;

    private static ProjectForTests attacker;
    private static ProjectForTests neighbour;

    @Inject
    MemoryBudget memory;

    private final List<RawConnection> connections = new ArrayList<>();

    @BeforeAll
    static void projects() {
        attacker = ProjectForTests.create("attacker");
        neighbour = ProjectForTests.create("neighbour");
    }

    @AfterEach
    void everythingIsReturned() {
        connections.forEach(RawConnection::close);
        await().untilAsserted(() -> assertThat(memory.bytes().held()).isZero());
    }

    private RawConnection connect(int receiveBuffer) {
        RawConnection connection = RawConnection.open(receiveBuffer);
        connections.add(connection);
        return connection;
    }

    private static String head(ProjectForTests project, String method, String path, long length) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + project.ref() + ".data.example\r\napikey: "
                + project.anonKey() + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static void assertServed(ProjectForTests project) {
        Http.Answer answer = project.http().with("apikey", project.anonKey()).send("POST", "/realtime/v1/echo", "{}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** The text is small, the tree of it is not. */
    @Test
    void manyBodiesOfSmallValuesAtOnce() {
        String almost = head(attacker, "POST", "/realtime/v1/echo", BODY_BYTES) + "[".repeat(BODY_BYTES - 1);
        List<RawConnection> sent = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            sent.add(connect(0).send(almost));
        }
        List<String> refused = sent.stream().skip(4).map(RawConnection::answer).toList();

        assertThat(refused)
                .anySatisfy(answer -> assertThat(answer)
                        .startsWith("HTTP/1.1 503")
                        .contains("\"overloaded\"", "\"request_id\"")
                        .containsIgnoringCase("retry-after: 1")
                        .containsIgnoringCase("access-control-allow-origin: *"));
        assertServed(neighbour);
    }

    @Test
    void aResponseThatTheClientDoesNotRead() {
        for (int i = 0; i < 3; i++) {
            connect(4 << 10).send(head(attacker, "GET", "/realtime/v1/large", 0));
        }
        // At once: a reader that takes nothing is given up after a while.
        await().pollInterval(Duration.ofMillis(5)).until(() -> memory.bytes().held() >= 2L * EchoService.LARGE_BYTES);

        Http.Answer another = attacker.http().with("apikey", attacker.anonKey()).get("/realtime/v1/echo");
        assertThat(another.status()).as(another.toString()).isEqualTo(503);
        assertThat(another.code()).isEqualTo("overloaded");
        assertThat(another.header("retry-after")).hasValue("1");
        await().untilAsserted(() -> assertServed(neighbour));
        // Not by reading, which would end the stall: the server gives the readers up.
        await().until(() -> memory.bytes().held() == 0);
        assertServed(attacker);
    }

    /** Every visitor of an app has the anon key. */
    @Test
    void answersThatAnonymousReadersDoNotTakeAreNotTheUsersLoss() {
        connect(4 << 10).send(head(attacker, "GET", "/realtime/v1/large", 0));
        ByteBudget.Account anonymous = memory.ofProject(attacker.ref()).ofAnonymous();
        await().pollInterval(Duration.ofMillis(5)).until(() -> anonymous.held() >= EchoService.LARGE_BYTES / 2);
        connections.forEach(RawConnection::close);
        await().until(() -> memory.bytes().held() == 0);

        try (ByteBudget.Permit readers = anonymous.open()) {
            readers.charge(20 << 20);
            Http.Answer refused =
                    attacker.http().with("apikey", attacker.anonKey()).get("/realtime/v1/echo");
            assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
            Http.Answer served =
                    attacker.http().with("apikey", attacker.serviceKey()).send("POST", "/realtime/v1/echo", "{}");
            assertThat(served.status()).as(served.toString()).isEqualTo(200);
        }
    }

    @Test
    void aReaderThatReadsGetsAllOfIt() {
        Http.Answer answer = attacker.http().with("apikey", attacker.anonKey()).get("/realtime/v1/large");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).hasSize(EchoService.LARGE_BYTES);
    }

    @Test
    void oneBodyThatTakesMoreThanAShare() {
        Http.Answer answer = Http.api(TestingPlatform.ADMIN)
                .send("POST", "/v1/projects/" + attacker.ref() + "/functions", "[".repeat(1 << 20));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(413);
        assertThat(answer.code()).isEqualTo("body_too_complex");
    }

    @Test
    void aClientThatLeavesInTheMiddle() {
        for (int i = 0; i < 20; i++) {
            connect(0)
                    .send(head(attacker, "POST", "/realtime/v1/echo", BODY_BYTES) + "x".repeat(1_000))
                    .close();
        }
        assertServed(attacker);
    }

    /** A whole one is worked on while its client has left already. */
    @Test
    void aClientThatLeavesAtTheEnd() {
        for (int i = 0; i < 20; i++) {
            connect(0)
                    .send(head(attacker, "POST", "/realtime/v1/echo", 1_000) + "x".repeat(1_000))
                    .close();
            connect(0)
                    .send("POST /v1/projects HTTP/1.1\r\nHost: api.svc.example\r\nAuthorization: Bearer "
                            + TestingPlatform.ADMIN + "\r\nContent-Length: 2\r\n\r\n{}")
                    .close();
        }
        assertServed(attacker);
    }
}
