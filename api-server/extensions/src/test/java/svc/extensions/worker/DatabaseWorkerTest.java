package svc.extensions.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.extensions.SharedProjects;
import svc.extensions.cron.JobCommands;
import svc.extensions.cron.JobResult;
import svc.extensions.net.OwnAddresses;
import svc.extensions.net.RequestSender;
import svc.platform.egress.AddressRules;
import svc.platform.egress.EgressClient;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;

/** One process works on a database at a time; when it ends, or its session does, another takes over. */
class DatabaseWorkerTest {
    private static final Duration LEAD = Duration.ofSeconds(3);

    private final SharedProjects projects = new SharedProjects();
    private final SharedProjects.Time clock = new SharedProjects.Time("2026-11-28T10:00:30Z");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Vertx vertx = Vertx.vertx();
    private final EgressClient egress =
            new EgressClient(vertx, new AddressRules(List.of(), List.of()), Duration.ofSeconds(5));
    private final Queue<String> started = new ConcurrentLinkedQueue<>();

    /** Commands end with it, at once but where a test says otherwise. */
    private volatile CountDownLatch release = new CountDownLatch(0);

    private Tenant tenant;
    private DatabaseWorker first;
    private DatabaseWorker second;

    @BeforeEach
    void start() {
        tenant = projects.project("aaaa2345");
        first = worker("first");
        second = worker("second");
        projects.database.asOwner(tenant, "SELECT svc_cron.schedule('* * * * *', 'SELECT 1')");
    }

    @AfterEach
    void stop() {
        release.countDown();
        first.close();
        second.close();
        egress.close();
        threads.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        projects.close();
    }

    private DatabaseWorker worker(String name) {
        JobCommands commands = new JobCommands() {
            @Override
            public JobResult run(Tenant owner, long job, String command) {
                started.add(name);
                awaitRelease();
                return JobResult.success("SELECT 1");
            }

            @Override
            public Duration limit() {
                return Duration.ofMinutes(1);
            }
        };
        var sender = new RequestSender(egress, OwnAddresses.ofHosts());
        var parts = DatabaseWorker.Parts.of(projects.live(), commands, sender, threads, clock);
        return new DatabaseWorker(projects.connect(), parts);
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A minute, in which each process has its turns; the second one first. */
    private void minute() {
        clock.pass(Duration.ofMinutes(1).minus(LEAD));
        for (int i = 0; i < 2; i++) {
            second.turn();
            first.turn();
            clock.pass(LEAD);
        }
        clock.pass(LEAD.negated());
    }

    @Test
    void oneLeadsAndTheOtherTakesOverWhenItEnds() {
        first.turn();
        minute();
        await().untilAsserted(() -> assertThat(started).containsExactly("first"));
        first.close();
        minute();
        minute();
        await().untilAsserted(() -> assertThat(started).startsWith("first", "second"));
    }

    @Test
    void aLeadWhoseSessionEndedIsTakenAgain() {
        first.turn();
        projects.database.asOperator(
                "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid"
                        + " WHERE a.usename = 'svc_extensions' AND l.locktype = 'advisory'"
                        + " AND a.datname = current_database()");
        await().untilAsserted(() -> {
            minute();
            assertThat(started).isNotEmpty();
        });
        assertThat(projects.database.ask("SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
                        + " WHERE a.usename = 'svc_extensions' AND l.locktype = 'advisory' AND l.granted"
                        + " AND a.datname = current_database()"))
                .isEqualTo("1");
    }

    private String history() {
        return projects.database.ask("SELECT string_agg(status, ' ' ORDER BY runid) FROM svc_cron.stored_run");
    }

    @Test
    void aProcessThatStopsWaitsForItsCommandsAndWritesTheirEnds() throws Exception {
        release = new CountDownLatch(1);
        first.turn();
        minute();
        await().until(() -> started.size() == 1);
        assertThat(history()).isEqualTo("running");
        Thread closing = Thread.startVirtualThread(first::close);
        release.countDown();
        closing.join();
        assertThat(history()).isEqualTo("succeeded");
        first.turn();
        minute();
        minute();
        await().until(() -> started.size() > 1);
        assertThat(started).startsWith("first", "second");
    }

    @Test
    void jobsRunWhileRequestsFail() {
        first.turn();
        projects.database.asOperator("REVOKE SELECT ON svc_net.queued_request FROM svc_extensions");
        clock.pass(Duration.ofMinutes(1));
        assertThatThrownBy(first::turn).isInstanceOf(SqlError.class);
        await().untilAsserted(() -> assertThat(started).containsExactly("first"));
    }
}
