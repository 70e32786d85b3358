package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.key.Purpose;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.postgres.replication.WalSource;
import svc.testing.TestingProjects;

/** One project's large transaction is delivered up to a limit, its subscribers hear so, and a neighbour misses nothing. */
@Timeout(240)
class LargeTransactionsTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();
    private static final int LIMIT = 50_000;

    /** The last row before the limit in each of two rounds, the first behind it, and what comes later. */
    private static final String WATCHED = "id=in.(-950001,-950000,-1950001,-1950000,1,2)";

    private static final String TOO_LARGE = "failed: Changes are lost: a transaction of this project changed more than"
            + " 50000 rows of published tables, or 64 MB of them; read again what changed since 2[0-9-]+T[0-9:.]+Z";

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("large");
    private final Tenant neighbour = projects.project("neighbour");
    private final List<TestingFeed> processes = new ArrayList<>();

    @BeforeEach
    void publish() {
        for (Tenant project : List.of(tenant, neighbour)) {
            projects.asOwner(
                    project,
                    "CREATE TABLE t (id int PRIMARY KEY, v text); GRANT SELECT ON t TO "
                            + project.names().schemaName() + "_anon");
            TestingFeed.publish(projects, project, "t");
        }
        processes.add(new TestingFeed(projects, REDIS.url()));
    }

    @AfterEach
    void stop() {
        processes.forEach(TestingFeed::close);
        var database = WalSource.shared(tenant.database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION));
        Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            database.drop();
            return true;
        });
    }

    private Recorded subscribed(int process, Tenant of, String filter) {
        return processes.get(process).subscribed(of, Caller.anon(), binding(1, "*", "t", filter, null));
    }

    private Recorded neighbourSubscribed(int process) {
        return subscribed(process, neighbour, null);
    }

    private void insert(int from, int rows) {
        projects.asOwner(
                tenant,
                "SET synchronous_commit = on; INSERT INTO t SELECT generate_series(" + from + ", " + (from + rows - 1)
                        + ")");
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    private String reader() {
        return projects.ask("SELECT coalesce(max(active_pid), 0)::text FROM pg_replication_slots"
                + " WHERE database = current_database() AND active AND NOT temporary");
    }

    private double passed() {
        return processes.stream()
                .mapToDouble(process -> process.count("svc.realtime.reader.passed"))
                .sum();
    }

    @Test
    void whatATransactionHasBeyondTheLimitIsPassedAndANeighbourMissesNothing() throws Exception {
        processes.add(new TestingFeed(projects, REDIS.url()));
        List<Recorded> others = List.of(neighbourSubscribed(0), neighbourSubscribed(1));
        Recorded near = subscribed(0, tenant, WATCHED);
        Recorded far = subscribed(1, tenant, WATCHED);
        var written = new AtomicInteger();
        var writing = new AtomicBoolean(true);
        Thread writer = Thread.ofVirtual().start(() -> write(writing, written));
        for (int round = 1; round <= 2; round++) {
            int from = -round * 1_000_000;
            String reader = reader();
            // Less than what comes in blocks, of which all is read.
            insert(from, LIMIT + 20_000);
            insert(round, 1);
            for (Recorded channel : List.of(near, far)) {
                assertThat(channel.next(1, "id")).containsExactly("" + (from + LIMIT - 1));
                assertThat(channel.next(1, "id")).containsExactly("" + round);
                assertThat(channel.nextState()).matches(TOO_LARGE);
                assertThat(channel.states()).as("said once").isEmpty();
            }
            assertThat(reader()).as("the rest is not read").isNotEqualTo(reader);
        }
        writing.set(false);
        writer.join();
        for (Recorded channel : others) {
            assertThat(channel.next(written.get(), "id")).isEqualTo(numbers(1, written.get()));
            assertThat(channel.states()).isEmpty();
        }
        // The other process may go on, and read so far again.
        assertThat(passed()).isBetween(2.0, 4.0);
        List<String> warnings = new ArrayList<>();
        processes.forEach(process -> warnings.addAll(process.warnings()));
        assertThat(warnings)
                .hasSizeBetween(2, 4)
                .allSatisfy(warning -> assertThat(warning)
                        .startsWith(tenant.projectId() + ": A transaction that committed at 2")
                        .contains("more than 50000 rows of published tables, or 64 MB of them"));
    }

    private void write(AtomicBoolean writing, AtomicInteger written) {
        try (Connection owner = TestingFeed.owner(projects, neighbour);
                var session = owner.createStatement()) {
            while (writing.get()) {
                session.execute("INSERT INTO t VALUES (" + (written.get() + 1) + ")");
                written.incrementAndGet();
                Thread.sleep(20);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An open transaction keeps the log: each stream begins far behind then, which large transactions must not repeat. */
    @Test
    void aTransactionIsReadToItsEndWhereReadingTheLogAgainWouldTakeLonger() throws Exception {
        Recorded others = neighbourSubscribed(0);
        try (Connection open = TestingProjects.SERVER.connect(projects.database());
                var statement = open.createStatement()) {
            open.setAutoCommit(false);
            // Something to decode: a number alone keeps no log.
            statement.execute("SELECT pg_logical_emit_message(true, 'open', '')");
            projects.asOperator(
                    "SELECT pg_logical_emit_message(false, 'filler', repeat('x', 1000000)) FROM generate_series(1, 280)");
            // The slot is seen once more before this one is subscribed.
            Recorded own = subscribed(0, tenant, "id=gt.49990");
            String reader = reader();
            insert(1, LIMIT + 500);
            insert(900_001, 1);
            projects.asOwner(neighbour, "INSERT INTO t VALUES (1)");
            assertThat(own.next(10, "id")).isEqualTo(numbers(LIMIT - 9, LIMIT));
            assertThat(own.next(1, "id")).containsExactly("900001");
            assertThat(own.nextState()).matches(TOO_LARGE);
            assertThat(others.next(1, "id")).containsExactly("1");
            assertThat(reader()).isEqualTo(reader);
            open.rollback();
        }
        assertThat(others.states()).isEmpty();
        assertThat(passed()).isEqualTo(1);
    }

    @Test
    void largeRowsCountByTheirBytes() {
        Recorded own = subscribed(0, tenant, "id=gt.30");
        Recorded others = neighbourSubscribed(0);
        projects.asOwner(tenant, "INSERT INTO t SELECT i, repeat('x', 2000000) FROM generate_series(1, 60) i");
        projects.asOwner(tenant, "INSERT INTO t VALUES (1000)");
        projects.asOwner(neighbour, "INSERT INTO t VALUES (1)");
        // The 34th is beyond 64 MB.
        assertThat(own.next(4, "id")).containsExactly("31", "32", "33", "1000");
        assertThat(own.nextState()).matches(TOO_LARGE);
        assertThat(others.next(1, "id")).containsExactly("1");
        assertThat(others.states()).isEmpty();
    }
}
