package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import svc.database.key.Purpose;
import svc.embedded.process.FreePort;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.postgres.replication.WalSource;
import svc.realtime.bus.RedisProjectBus;
import svc.realtime.reader.DatabaseReader;
import svc.realtime.reader.LogRecipients;
import svc.realtime.reader.ProjectTables;
import svc.realtime.reader.ReaderMetrics;
import svc.realtime.reader.ReaderSettings;
import svc.testing.TestingProjects;

/** Whatever ends, what is promised arrives once, and what is lost is said. */
@Timeout(180)
class ReaderFailuresTest {
    @TempDir
    private Path folder;

    private EmbeddedRedis redis;
    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("failures");
    private final List<TestingFeed> processes = new ArrayList<>();

    @BeforeEach
    void publish() {
        redis = EmbeddedRedis.lasting(folder, FreePort.find());
        projects.asOwner(
                tenant,
                "CREATE TABLE t (id int PRIMARY KEY, v text); GRANT SELECT ON t TO "
                        + tenant.names().schemaName() + "_anon");
        TestingFeed.publish(projects, tenant, "t");
    }

    @AfterEach
    void stop() {
        processes.forEach(TestingFeed::close);
        redis.close();
        drop();
    }

    private void drop() {
        var database = WalSource.shared(tenant.database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION));
        for (int i = 0; i < 50 && slots("true") > 0; i++) {
            if (slots("active") == 0) {
                database.drop();
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private TestingFeed process() {
        TestingFeed process = new TestingFeed(projects, redis.url());
        processes.add(process);
        return process;
    }

    private Recorded subscribed(TestingFeed process) {
        return process.subscribed(tenant, Caller.anon(), binding(1, "*", "t"));
    }

    private int slots(String condition) {
        return Integer.parseInt(projects.ask(
                "SELECT count(*) FROM pg_replication_slots WHERE database = current_database() AND " + condition));
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void oneOfSeveralProcessesReadsAndAllDeliver() {
        List<Recorded> channels = List.of(subscribed(process()), subscribed(process()), subscribed(process()));
        projects.asOwner(tenant, "INSERT INTO t SELECT generate_series(1, 100)");
        for (Recorded channel : channels) {
            assertThat(channel.next(100, "id")).isEqualTo(numbers(1, 100));
            assertThat(channel.hasNothing()).isTrue();
        }
        assertThat(slots("active")).isEqualTo(1);
        assertThat(processes.stream()
                        .filter(process -> process.count("svc.realtime.changes.decoded") > 0)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void anotherProcessGoesOnWhereAReaderWasKilledInTheMiddleOfATransaction() {
        TestingFeed first = process();
        Recorded lost = subscribed(first);
        Recorded kept = subscribed(process());
        // Large enough to be on its way when its reader ends.
        projects.asOwner(tenant, "INSERT INTO t SELECT i, repeat('x', 500) FROM generate_series(1, 20000) i");
        lost.next();
        first.close();
        processes.remove(first);
        assertThat(kept.next(20000, "id")).isEqualTo(numbers(1, 20000));
        projects.asOwner(tenant, "INSERT INTO t VALUES (30000)");
        assertThat(kept.next(1, "id")).containsExactly("30000");
        assertThat(kept.states()).isEmpty();
    }

    @Test
    void aServerThatEndsAllSessionsIsReadOnAndNothingIsRepeated() {
        Recorded channel = subscribed(process());
        for (int round = 0; round < 3; round++) {
            projects.asOwner(
                    tenant,
                    "INSERT INTO t SELECT generate_series(" + (round * 100 + 1) + ", " + (round * 100 + 50) + ")");
            projects.asOperator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            projects.asOwner(
                    tenant,
                    "INSERT INTO t SELECT generate_series(" + (round * 100 + 51) + ", " + (round * 100 + 100) + ")");
        }
        assertThat(channel.next(300, "id")).isEqualTo(numbers(1, 300));
        assertThat(channel.hasNothing()).isTrue();
        assertThat(channel.states()).isEmpty();
    }

    /** Slots are as old as the last checkpoint then, and the log is read again from there. */
    @Test
    void aServerThatCrashesIsReadOnAndNothingIsLostOrRepeated() {
        Recorded channel = subscribed(process());
        insertDurably(1, 100);
        assertThat(channel.next(40, "id")).isEqualTo(numbers(1, 40));
        long reader = Long.parseLong(projects.ask(
                "SELECT active_pid FROM pg_replication_slots" + " WHERE database = current_database() AND active"));
        insertDurably(101, 20_000);
        // PostgreSQL then ends all sessions, and recovers from its log.
        ProcessHandle.of(reader).orElseThrow().destroyForcibly();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> projects.ask("SELECT 1").equals("1")
                        && ProcessHandle.of(reader).isEmpty());
        insertDurably(20_001, 20_100);
        assertThat(channel.next(20_060, "id")).isEqualTo(numbers(41, 20_100));
        assertThat(channel.hasNothing()).isTrue();
        assertThat(channel.states()).isEmpty();
    }

    /** The test server otherwise forgets commits of the last moment when it crashes. */
    private void insertDurably(int from, int to) {
        projects.asOwner(
                tenant, "SET synchronous_commit = on; INSERT INTO t SELECT generate_series(" + from + ", " + to + ")");
    }

    @Test
    void changesWaitForRedisAndArriveWhenItIsBack() {
        TestingFeed reading = process();
        Recorded near = subscribed(reading);
        Recorded far = subscribed(process());
        projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
        assertThat(near.next(1, "id")).containsExactly("1");
        assertThat(far.next(1, "id")).containsExactly("1");
        int port = redis.port();
        redis.close();
        projects.asOwner(tenant, "INSERT INTO t SELECT generate_series(2, 50)");
        redis = EmbeddedRedis.lasting(folder, port);
        // Another process may be the reader by now, and a listener may come back later than the reader: what it may
        // have
        // missed is said when it is back.
        var last = new AtomicInteger(50);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    projects.asOwner(tenant, "INSERT INTO t VALUES (" + last.incrementAndGet() + ")");
                    return !near.hasNothing() && !far.hasNothing();
                });
        for (Recorded channel : List.of(near, far)) {
            List<String> arrived = new ArrayList<>();
            do {
                arrived.add(channel.next().record().get("id").asText());
            } while (!arrived.getLast().equals(last.toString()));
            if (channel.states().isEmpty()) {
                assertThat(arrived).isEqualTo(numbers(2, last.get()));
            } else {
                assertThat(channel.states()).allMatch(state -> state.startsWith("failed: Changes"));
            }
        }
    }

    @Test
    void whatRedisMayHaveLostIsSaidAtOnceAndOnce() {
        Recorded channel = subscribed(process());
        int port = redis.port();
        redis.close();
        redis = EmbeddedRedis.lasting(folder, port);
        assertThat(channel.nextState())
                .matches("failed: Changes may be lost: the connection between servers was interrupted;"
                        + " read again what changed since 2[0-9-]+T[0-9:.]+Z");
        projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
        assertThat(channel.next(1, "id")).containsExactly("1");
        assertThat(channel.states()).as("said once").isEmpty();
    }

    @Test
    void aReaderWhoseListenerFailsReadsOn() throws Exception {
        Vertx vertx = Vertx.vertx();
        var failures = new AtomicInteger();
        try (var bus = new RedisProjectBus(vertx, Redis.createClient(vertx, redis.url()));
                var reader = new DatabaseReader(
                        WalSource.shared(tenant.database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION)),
                        new LogRecipients(
                                ProjectTables.shared(),
                                bus,
                                (projectId, message) -> {},
                                (projectId, warning) -> {},
                                LogRecipients.unfinishedChanges()),
                        new ReaderSettings(Duration.ofMillis(500), Duration.ZERO, OptionalLong.empty(), false),
                        new ReaderMetrics(new SimpleMeterRegistry(), "tenants"),
                        () -> {
                            failures.incrementAndGet();
                            throw new IllegalStateException("the listener's own fault");
                        })) {
            reader.follow();
            reader.position().get(60, TimeUnit.SECONDS);
            TestingFeed.dropSlotInUse(projects, tenant);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> failures.get() > 0);

            assertThat(reader.position().get(60, TimeUnit.SECONDS)).isPositive();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
