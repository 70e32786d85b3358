package svc.server.management;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;
import static svc.server.testing.PlatformTables.execute;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Logger;
import org.junit.jupiter.api.Test;
import svc.server.testing.PlatformTables;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** The control plane while its own database is unreachable, not migrated, closed or overloaded. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class PlatformAwayTest {
    private static final String BACKENDS_OF_OURS =
            " FROM pg_stat_activity WHERE usename = 'svc_platform' AND datname = current_database()";

    private final Http api = Http.api(TestingPlatform.ADMIN);

    private static void assertUnavailable(Http.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("platform_unavailable");
        assertThat(answer.header("content-type").orElseThrow()).startsWith("application/problem+json");
        assertThat(answer.header("retry-after").orElseThrow()).matches("[1-9][0-9]*");
        assertThat(answer.header("access-control-allow-origin")).hasValue("*");
        assertThat(answer.json().get("retryable").asBoolean()).isTrue();
        assertThat(answer.json().get("request_id").asText())
                .isEqualTo(answer.header("x-request-id").orElseThrow());
        assertThat(answer.text())
                .doesNotContain("svc_platform", "jdbc", "relation", "127.0.0.1", PlatformTables.database());
    }

    private void assertUnavailableWhile(String broken, String mended) throws SQLException {
        execute(broken, "SELECT pg_terminate_backend(pid)" + BACKENDS_OF_OURS);
        try {
            assertUnavailable(api.get("/v1/projects"));
            assertUnavailable(api.send("POST", "/v1/projects", "{\"name\":\"away\"}"));
        } finally {
            execute(mended);
        }
        // Each connection that was ended and is not yet replaced fails one call.
        await().until(() -> api.get("/v1/projects").status() == 200);
    }

    @Test
    void tablesThatAreNotThereYetAreSoonThere() throws Exception {
        assertUnavailableWhile(
                "ALTER SCHEMA svc_platform RENAME TO not_prepared", "ALTER SCHEMA not_prepared RENAME TO svc_platform");
    }

    @Test
    void tablesThatAreClosedAreSoonOpened() throws Exception {
        assertUnavailableWhile(
                "REVOKE USAGE ON SCHEMA svc_platform FROM svc_platform",
                "GRANT USAGE ON SCHEMA svc_platform TO svc_platform");
    }

    @Test
    void aLoginThatIsRefusedIsNoFaultOfTheCaller() throws Exception {
        assertUnavailableWhile("ALTER ROLE svc_platform NOLOGIN", "ALTER ROLE svc_platform LOGIN");
    }

    @Test
    void oneOutageIsOneLine() throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        var listening = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                    lines.add(((ExtLogRecord) line).getFormattedMessage() + " thrown: " + line.getThrown());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("svc.management.problem.ProblemMapper");
        log.addHandler(listening);
        execute("ALTER ROLE svc_platform CONNECTION LIMIT 0", "SELECT pg_terminate_backend(pid)" + BACKENDS_OF_OURS);
        // A connection used within the last second is not validated before use, so each dead one fails one call.
        Thread.sleep(1_100);
        long begun = System.nanoTime();
        try {
            for (int i = 0; i < 5; i++) {
                assertUnavailable(api.get("/v1/projects"));
            }
        } finally {
            execute("ALTER ROLE svc_platform CONNECTION LIMIT -1");
            log.removeHandler(listening);
        }
        assertThat(lines).allSatisfy(line -> assertThat(line).endsWith("thrown: null"));
        // One at first and one every five seconds.
        int most = 1 + (int) Duration.ofNanos(System.nanoTime() - begun).dividedBy(Duration.ofSeconds(5));
        assertThat(lines).filteredOn(line -> line.contains("53300")).hasSizeBetween(1, most);
    }

    @Test
    void anErrorThatIsOursStaysOurs() throws Exception {
        execute("ALTER TABLE svc_platform.token RENAME COLUMN hash TO hashed");
        try {
            assertThat(api.get("/v1/projects").status()).isEqualTo(500);
        } finally {
            execute("ALTER TABLE svc_platform.token RENAME COLUMN hashed TO hash");
        }
    }

    /**
     * More callers wait than there are event loops and connections: if one blocked a loop, the status call would wait,
     * too.
     */
    @Test
    void aBusyDatabaseTurnsSomeAwayAndBlocksNoEventLoop() throws Exception {
        List<Future<Http.Answer>> calls = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            try (Connection locking = PlatformTables.connect();
                    var statement = locking.createStatement()) {
                locking.setAutoCommit(false);
                statement.execute("LOCK TABLE svc_platform.token IN ACCESS EXCLUSIVE MODE");
                for (int i = 0; i < 40; i++) {
                    calls.add(callers.submit(() -> api.get("/v1/projects")));
                }
                int rounds = 0;
                while (calls.stream().noneMatch(Future::isDone)) {
                    askOnEveryEventLoop(callers);
                    rounds += calls.stream().noneMatch(Future::isDone) ? 1 : 0;
                    Thread.sleep(20);
                }
                // Calls on a blocked event loop are answered when its callers are.
                assertThat(rounds).isGreaterThan(5);
                locking.rollback();
            }
            int turnedAway = 0;
            for (Future<Http.Answer> call : calls) {
                if (call.get().status() != 200) {
                    assertUnavailable(call.get());
                    turnedAway++;
                }
            }
            assertThat(turnedAway).isBetween(1, 20);
        }
    }

    /** Concurrent calls use as many connections, distributed over the event loops. */
    private static void askOnEveryEventLoop(ExecutorService callers) throws Exception {
        List<Future<Http.Answer>> statuses = new ArrayList<>();
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            statuses.add(callers.submit(() -> Http.host("api.svc.example").get("/status")));
        }
        for (Future<Http.Answer> status : statuses) {
            assertThat(status.get().status()).isEqualTo(200);
        }
    }
}
