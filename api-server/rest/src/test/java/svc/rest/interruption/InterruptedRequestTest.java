package svc.rest.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.DatabaseProxy;
import svc.testing.TestingProjects;

/** A client or database that disconnects during a request affects no other request and leaves no statement running. */
class InterruptedRequestTest {
    private static final int MANY_BYTES = 20_000_000;

    private static TestingProjects projects;
    private static DatabaseProxy proxy;
    private static TestingDataPlane plane;
    private static Tenant tenant;

    /** One connection at most: a request that kept it would block all others. */
    @BeforeAll
    static void layOut() {
        projects = TestingProjects.create();
        Tenant direct = projects.project("broken12");
        projects.asOwner(direct, """
                CREATE TABLE note (id int PRIMARY KEY, text text);
                INSERT INTO note VALUES (1, 'one');
                CREATE FUNCTION slow() RETURNS int LANGUAGE sql VOLATILE
                SET statement_timeout = '60s' AS 'SELECT 1 FROM pg_sleep(60)';
                CREATE FUNCTION large(bytes int) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT repeat(''x'', bytes)';
                """);
        proxy = new DatabaseProxy(direct.database().jdbcUrl(), false);
        tenant = proxy.before(direct);
        plane = new TestingDataPlane(projects, PoolSettings.defaults().withCap(1), true);
        plane.serve(tenant);
        assertThat(plane.get(tenant, "/note?select=id").statusCode()).isEqualTo(200);
    }

    @AfterAll
    static void close() {
        plane.close();
        proxy.close();
    }

    private static Socket sent(String request) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), plane.port());
        socket.getOutputStream()
                .write((request.replace("REF", tenant.ref()) + " HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static boolean sleeps() {
        return !projects.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = '" + projects.database()
                        + "' AND wait_event = 'PgSleep'")
                .equals("0");
    }

    private static void await(boolean sleeping) throws InterruptedException {
        long limit = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (sleeps() != sleeping && System.nanoTime() < limit) {
            Thread.sleep(20);
        }
        assertThat(sleeps()).isEqualTo(sleeping);
    }

    private static void served() {
        HttpResponse<String> answer = plane.get(tenant, "/note?select=text");
        assertThat(answer.body()).isEqualTo("[{\"text\":\"one\"}]");
    }

    @Test
    void aClientThatGoesAwayCancelsItsQuery() throws Exception {
        try (Socket client = sent("POST /REF/rpc/slow")) {
            await(true);
        }
        await(false);
        served();
    }

    @Test
    void aClientThatGoesAwayCancelsItsBatch() throws Exception {
        String batch = "[{\"method\":\"POST\",\"path\":\"/rpc/slow\",\"body\":{}}]";
        try (var client = new Socket(InetAddress.getLoopbackAddress(), plane.port())) {
            client.getOutputStream()
                    .write(("POST /" + tenant.ref() + "/ HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: " + batch.length() + "\r\n\r\n" + batch)
                            .getBytes(StandardCharsets.US_ASCII));
            await(true);
        }
        await(false);
        served();
    }

    @Test
    void aClientThatGoesAwayWhileItWaitsTakesNothing() throws Exception {
        try (Socket running = sent("POST /REF/rpc/slow")) {
            await(true);
            try (Socket waiting = sent("POST /REF/rpc/slow")) {
                assertThat(waiting.isConnected()).isTrue();
            }
        }
        await(false);
        served();
        assertThat(sleeps()).isFalse();
    }

    @Test
    void aSlowReaderKeepsNoConnection() throws Exception {
        try (Socket reader = sent("GET /REF/rpc/large?bytes=" + MANY_BYTES)) {
            served();
            int first = reader.getInputStream().read();
            assertThat(first).isEqualTo('H');
            served();
            assertThat(reader.getInputStream().readNBytes(MANY_BYTES)).hasSize(MANY_BYTES);
        }
    }

    @Test
    void aLargeAnswerComesWhole() {
        String body = plane.get(tenant, "/rpc/large?bytes=" + 2 * MANY_BYTES).body();
        assertThat(body).hasSize(2 * MANY_BYTES + 2);
    }

    @Test
    void aReadWhoseConnectionBreaksInTheAnswerIsRepeated() {
        // The proxy must cut the connection of the read, not the one that loads its schema.
        served();
        for (int bytes : new int[] {0, 1, 4, 60, 150, 5_000_000}) {
            int before = proxy.cuts();
            proxy.cutAfter(bytes);
            assertThat(plane.get(tenant, "/rpc/large?bytes=6000000").body())
                    .as("cut after %s bytes", bytes)
                    .hasSize(6_000_002);
            assertThat(proxy.cuts()).isEqualTo(before + 1);
        }
    }

    @Test
    void aWriteWhoseConnectionBreaksIsAnErrorAndIsNotRepeated() {
        served();
        proxy.cutAfter(10);
        HttpResponse<String> answer =
                plane.request(tenant, "POST", "/note", Map.of("Test-Role", "service"), "{\"id\":2,\"text\":\"two\"}");
        assertThat(answer.statusCode()).isEqualTo(503);
        served();
    }
}
