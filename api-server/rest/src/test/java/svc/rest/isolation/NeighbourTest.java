package svc.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.Tenant;
import svc.postgres.pool.PoolSettings;
import svc.rest.testing.TestingDataPlane;
import svc.testing.TestingProjects;

/** A project that keeps all of its connections busy, or whose callers hang up, is no concern of another's. */
class NeighbourTest {
    private static final int SLOW = 40;
    private static final int QUICK = 60;

    private static TestingDataPlane plane;
    private static Tenant slow;
    private static Tenant quick;

    @BeforeAll
    static void serve() {
        var projects = TestingProjects.create();
        PoolSettings settings =
                PoolSettings.defaults().withCap(6).withPerLogin(3).withAcquireTimeout(Duration.ofSeconds(30));
        plane = new TestingDataPlane(projects, settings, true);
        slow = projects.project("slowpoke");
        quick = projects.project("quick123");
        for (Tenant tenant : List.of(slow, quick)) {
            projects.asOwner(tenant, """
                    CREATE TABLE note (id int, text text);
                    INSERT INTO note VALUES (1, '%s');
                    CREATE VIEW asleep AS SELECT pg_sleep(1)::text AS nothing, current_user::text AS who;
                    """.formatted(tenant.ref()));
            plane.serve(tenant);
        }
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    @Test
    void manySlowQueriesOfOneDoNotStopAnother() throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> sleepers = new ArrayList<>();
            for (int i = 0; i < SLOW; i++) {
                sleepers.add(callers.submit(() -> plane.get(slow, "/asleep")));
            }
            for (int i = 0; i < QUICK; i++) {
                HttpResponse<String> answer = plane.get(quick, "/note?select=text");
                assertThat(answer.body()).isEqualTo("[{\"text\":\"quick123\"}]");
            }
            assertThat(sleepers).as("the other project is still busy").anyMatch(one -> !one.isDone());
            for (Future<HttpResponse<String>> sleeper : sleepers) {
                assertThat(sleeper.get().statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void callersThatHangUpLeaveNothingToTheNext() throws Exception {
        for (int i = 0; i < 12; i++) {
            hangUp("GET /" + slow.ref() + "/asleep HTTP/1.1\r\nHost: x\r\nTest-Role: mallory\r\n\r\n");
            hangUp("POST /" + slow.ref() + "/note HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"id\":");
            for (Tenant tenant : List.of(slow, quick)) {
                HttpResponse<String> answer = plane.request(tenant, "GET", "/note?select=id,text", Map.of(), null);
                assertThat(answer.body()).isEqualTo("[{\"id\":1,\"text\":\"" + tenant.ref() + "\"}]");
            }
        }
        assertThat(plane.get(slow, "/asleep?select=who").body())
                .contains(slow.names().schemaName() + "_anon");
    }

    private static void hangUp(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), plane.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
