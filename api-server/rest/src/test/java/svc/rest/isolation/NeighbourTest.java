package svc.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
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

/** A project with all connections busy, or with clients that disconnect, does not affect another project. */
class NeighbourTest {
    private static final int SLOW = 40;
    private static final int QUICK = 60;

    private static TestingProjects projects;
    private static TestingDataPlane plane;
    private static Tenant slow;
    private static Tenant quick;

    @BeforeAll
    static void serve() {
        projects = TestingProjects.create();
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
                    CREATE TABLE gate (id int);
                    CREATE FUNCTION pass() RETURNS bigint LANGUAGE sql VOLATILE
                        SET statement_timeout = '60s' SET lock_timeout = '60s' AS 'SELECT count(*) FROM gate';
                    """.formatted(tenant.ref()));
            plane.serve(tenant);
        }
    }

    @AfterAll
    static void close() {
        plane.close();
    }

    /** The slow queries wait for a lock until the other project has all its responses. */
    @Test
    void manySlowQueriesOfOneDoNotStopAnother() throws Exception {
        assertThat(plane.get(slow, "/note").statusCode()).as("loads the schema").isEqualTo(200);
        List<Future<HttpResponse<String>>> blocked = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            try (Connection operator = TestingProjects.SERVER.connect(projects.database());
                    Statement statement = operator.createStatement()) {
                operator.setAutoCommit(false);
                statement.execute("LOCK TABLE " + slow.names().schemaName() + ".gate IN ACCESS EXCLUSIVE MODE");
                for (int i = 0; i < SLOW; i++) {
                    blocked.add(callers.submit(() -> plane.request(slow, "POST", "/rpc/pass", Map.of(), "{}")));
                }
                for (int i = 0; i < QUICK; i++) {
                    HttpResponse<String> answer = plane.get(quick, "/note?select=text");
                    assertThat(answer.body()).isEqualTo("[{\"text\":\"quick123\"}]");
                }
                assertThat(blocked).as("the other project is still busy").noneMatch(Future::isDone);
                operator.rollback();
            }
            for (Future<HttpResponse<String>> one : blocked) {
                assertThat(one.get().statusCode()).isEqualTo(200);
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
