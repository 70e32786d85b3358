package svc.server.exhaustion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.server.testing.EchoService;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;
import svc.testing.RawConnection;
import svc.testing.RawHttp;

/** Promise: a client that is slow, silent or sends too long a head is answered, and does not keep its connection. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class DeadlinesTest {
    /** More than the settings of {@link TestingPlatform} allow from one address. */
    private static final int CONNECTIONS = 350;

    private static final int PER_ADDRESS = 300;

    private static ProjectForTests project;

    @Inject
    EchoService echo;

    @BeforeAll
    static void aProject() {
        project = ProjectForTests.create("deadlines");
    }

    private static String start(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + project.ref() + ".data.example\r\napikey: "
                + project.anonKey() + "\r\n";
    }

    private static void assertComplete(String answer, int status, String code) {
        assertThat(answer)
                .matches("(?s)HTTP/1\\.[01] " + status + " .*")
                .contains("\"" + code + "\"", "\"request_id\"")
                .containsIgnoringCase("access-control-allow-origin: *")
                .containsIgnoringCase("x-request-id: ")
                .containsIgnoringCase("content-type: application/json");
    }

    @Test
    void aBodyThatStops() {
        try (RawConnection connection = RawConnection.open()) {
            connection.send(start("POST", "/realtime/v1/echo") + "Content-Length: 1000\r\n\r\nabc");

            assertComplete(connection.answer(), 408, "body_timeout");
            connection.awaitClose();
        }
    }

    @Test
    void aHeadThatStops() {
        try (RawConnection connection = RawConnection.open()) {
            connection.send("GET /realtime/v1/echo HTTP/1.1\r\nHost: ");

            assertComplete(connection.answer(), 408, "head_timeout");
            connection.awaitClose();
        }
    }

    @Test
    void aHeadThatStopsAfterARequest() {
        try (RawConnection connection = RawConnection.open()) {
            assertThat(connection
                            .send(start("GET", "/realtime/v1/echo") + "\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 200");
            connection.send("GET /x");

            assertComplete(connection.answer(), 408, "head_timeout");
            connection.awaitClose();
        }
    }

    @Test
    void anAddressOf850Keys() {
        String keys =
                Stream.generate(UUID::randomUUID).limit(850).map(UUID::toString).collect(Collectors.joining(","));

        Http.Answer answer = project.http()
                .with("apikey", project.anonKey())
                .get("/realtime/v1/t?id=in.(" + keys.replace(",", "%2C") + ")");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().get("query").asText()).contains(keys.substring(keys.length() - 36));
    }

    @Test
    void anAddressThatIsTooLong() {
        assertComplete(
                RawHttp.send(start("GET", "/realtime/v1/" + "x".repeat(70_000)) + "Connection: close\r\n\r\n"),
                414,
                "uri_too_long");
    }

    @Test
    void headersThatAreTooLarge() {
        assertComplete(
                RawHttp.send(start("GET", "/realtime/v1/x") + "X-Large: " + "x".repeat(70_000) + "\r\n\r\n"),
                431,
                "headers_too_large");
    }

    @Test
    void whatIsNoHttp() {
        assertComplete(RawHttp.send("\u0016\u0003\u0001 this is TLS\r\n\r\n"), 400, "bad_request");
    }

    /** Idle connections are closed, so that later ones are served. */
    @Test
    void moreConnectionsThanThereMayBe() {
        List<RawConnection> idle = new ArrayList<>();
        try (RawConnection neighbour = RawConnection.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                if (i == 250) {
                    await().pollDelay(Duration.ofMillis(500)).until(() -> true);
                }
                idle.add(RawConnection.open());
                if (i % 50 == 0) {
                    assertThat(neighbour
                                    .send(start("GET", "/realtime/v1/echo") + "\r\n")
                                    .answer())
                            .startsWith("HTTP/1.1 200");
                }
            }
            idle.getFirst().awaitClose();
            try (RawConnection newcomer = RawConnection.open()) {
                assertThat(newcomer.send(start("GET", "/realtime/v1/echo") + "\r\n")
                                .answer())
                        .startsWith("HTTP/1.1 200");
            }
        } finally {
            idle.forEach(RawConnection::close);
        }
    }

    /** Those that carry a request do not give way. */
    @Test
    void moreRequestsThanThereMayBeConnections() {
        List<RawConnection> busy = new ArrayList<>();
        try {
            for (int i = 1; i <= PER_ADDRESS; i++) {
                busy.add(RawConnection.open().send(start("GET", "/realtime/v1/held") + "\r\n"));
                if (i % 50 == 0) {
                    int sent = i;
                    await().atMost(Duration.ofSeconds(30)).until(() -> echo.held() == sent);
                }
            }
            try (RawConnection refused = RawConnection.open()) {
                assertComplete(refused.answer(), 503, "too_many_connections");
            }
            echo.release();
            assertThat(busy)
                    .allSatisfy(connection -> assertThat(connection.answer()).startsWith("HTTP/1.1 200"));
        } finally {
            echo.release();
            busy.forEach(RawConnection::close);
        }
    }
}
