package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import svc.embedded.process.FreePort;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.realtime.feed.FeedSettings;
import svc.realtime.reader.ReaderSettings;
import svc.testing.TestingProjects;

/** When a slot stands, what it keeps of the log, when it is given up, and what its stream takes in memory. */
@Timeout(180)
class SlotLifeTest {
    @TempDir
    private Path folder;

    private EmbeddedRedis redis;
    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("slots");
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
        projects.asOperator("ALTER DATABASE \"" + projects.database() + "\" CONNECTION LIMIT -1");
        processes.forEach(TestingFeed::close);
        redis.close();
        TestingFeed.dropSlot(projects, tenant);
    }

    private TestingFeed process(OptionalLong maxLag, boolean standing) {
        TestingFeed process = new TestingFeed(
                projects,
                redis.url(),
                FeedSettings.defaults(),
                new ReaderSettings(Duration.ofMillis(100), Duration.ZERO, maxLag, standing));
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

    private void awaitNoReader() {
        // The session that leaves the slot ends after that.
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(
                                projects.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'svc_replication'"
                                        + " AND datname = current_database()"))
                        .isEqualTo("0"));
    }

    private void log(int megabytes) {
        projects.asOperator(
                "CREATE TABLE IF NOT EXISTS filler (v text); INSERT INTO filler SELECT repeat('x', 1000) FROM"
                        + " generate_series(1, " + megabytes * 1000 + ")");
    }

    @Test
    void aSlotThatKeepsTooMuchLogIsGivenUpAndItsSubscribersHearSo() {
        TestingFeed process = process(OptionalLong.of(20L << 20), false);
        Recorded channel = subscribed(process);
        // What Redis has not taken is not confirmed.
        int port = redis.port();
        redis.close();
        projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
        assertThat(channel.next(1, "id")).as("delivered without Redis").containsExactly("1");
        log(40);
        String said = channel.nextState();
        if (said.startsWith("failed: Changes may be lost")) {
            // Before the row, when the lost connection was noticed by then.
            said = channel.nextState();
        }
        assertThat(said).startsWith("failed: Changes are lost");
        redis = EmbeddedRedis.lasting(folder, port);
        Recorded again = subscribed(process);
        projects.asOwner(tenant, "INSERT INTO t VALUES (7)");
        assertThat(again.next(1, "id")).containsExactly("7");
        assertThat(channel.next(1, "id")).containsExactly("7");
        // The connection that listens may come back after the change, and has a loss of its own to report.
        assertThat(channel.states()).as("said once").noneMatch(state -> state.startsWith("failed: Changes are lost"));
    }

    @Test
    void anOpenTransactionThatKeepsTheLogCostsNoChanges() throws Exception {
        Recorded channel = subscribed(process(OptionalLong.of(20L << 20), false));
        try (var open = TestingProjects.SERVER.connect(projects.database());
                var statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("INSERT INTO " + tenant.names().schemaName() + ".t VALUES (0)");
            for (int i = 1; i <= 4; i++) {
                log(8);
                projects.asOperator("CHECKPOINT");
                projects.asOwner(tenant, "INSERT INTO t VALUES (" + i + ")");
                assertThat(channel.next(1, "id")).containsExactly("" + i);
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> slots("pg_current_wal_insert_lsn() - confirmed_flush_lsn < 4000000") == 1);
            }
            assertThat(slots("pg_current_wal_insert_lsn() - restart_lsn > 20 * 1024 * 1024"))
                    .isEqualTo(1);
            open.rollback();
        }
        projects.asOwner(tenant, "INSERT INTO t VALUES (5)");
        assertThat(channel.next(1, "id")).containsExactly("5");
        assertThat(channel.states()).isEmpty();
    }

    @Test
    void nothingIsReadAndNoSlotIsKeptWhenNothingFollowsAnyMore() {
        TestingFeed process = process(OptionalLong.empty(), false);
        Recorded channel = subscribed(process);
        assertThat(slots("active")).isEqualTo(1);
        channel.subscription().close();
        awaitNoReader();
        assertThat(slots("true")).isZero();
        Recorded again = subscribed(process);
        projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
        assertThat(again.next(1, "id")).containsExactly("1");
    }

    @Test
    void aTransactionThatStaysOpenKeepsNoChannelWaitingWhereASlotStands() throws Exception {
        TestingFeed process = process(OptionalLong.empty(), true);
        subscribed(process).subscription().close();
        awaitNoReader();
        assertThat(slots("NOT active")).as("while tables are published").isEqualTo(1);
        Recorded channel;
        try (Connection open = TestingProjects.SERVER.connect(projects.database());
                var statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            channel = subscribed(process);
            open.rollback();
        }
        projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
        assertThat(channel.next(1, "id")).containsExactly("1");
        projects.asOwner(tenant, "CALL svc_statements.publish('DROP', 'supabase_realtime', '{t}')");
        TestingFeed.apply(projects);
        channel.subscription().close();
        awaitNoReader();
        assertThat(slots("true")).as("when none is published any more").isZero();
    }

    /** Operators advance a slot that was not read for a minute: longer than a reader trusts one that it has not seen. */
    @Test
    void aReaderThatWasAwayForLongSaysThatChangesMayBeLost() throws Exception {
        Recorded channel = subscribed(process(OptionalLong.empty(), true));
        projects.asOperator("ALTER DATABASE \"" + projects.database() + "\" CONNECTION LIMIT 0");
        projects.asOperator("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                + " WHERE usename = 'svc_replication' AND datname = current_database()");
        Thread.sleep(4000);
        // A slot is advanced to what is on disk.
        projects.asOperator(
                "SET synchronous_commit = on; INSERT INTO " + tenant.names().schemaName() + ".t VALUES (1)");
        projects.asOperator("SELECT pg_replication_slot_advance(slot_name, pg_current_wal_flush_lsn())"
                + " FROM pg_replication_slots WHERE database = current_database()");
        projects.asOperator("ALTER DATABASE \"" + projects.database() + "\" CONNECTION LIMIT -1");
        assertThat(channel.nextState()).startsWith("failed: Changes are lost");
        projects.asOwner(tenant, "INSERT INTO t VALUES (2)");
        assertThat(channel.next(1, "id")).containsExactly("2");
    }

    /** Each wide table takes the reader some 0.1 MB, and PostgreSQL never says that one is gone. */
    @Test
    void aStreamThatHasDescribedManyTablesIsReplacedAndNothingIsLost() throws Exception {
        Tenant neighbour = projects.project("wide");
        Recorded channel = subscribed(process(OptionalLong.empty(), false));
        String reader = reader();
        try (Connection superuser = TestingProjects.SERVER.connect(projects.database());
                var statement = superuser.createStatement()) {
            for (int table = 0; table < 110; table++) {
                String name = neighbour.names().schemaName() + ".w" + table;
                statement.execute(wide(name));
                statement.execute("DROP TABLE " + name);
                if (table % 10 == 0) {
                    projects.asOwner(tenant, "INSERT INTO t VALUES (" + table + ")");
                    assertThat(channel.next(1, "id")).containsExactly("" + table);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !reader().equals(reader));
        projects.asOwner(tenant, "INSERT INTO t VALUES (1000)");
        assertThat(channel.next(1, "id")).containsExactly("1000");
        assertThat(channel.states()).isEmpty();
    }

    private static String wide(String table) {
        return """
                DO $$ BEGIN
                    EXECUTE (SELECT 'CREATE TABLE %1$s (' || string_agg(format('%%s_%%s int', repeat('c', 55), i), ',') || ')'
                             FROM generate_series(1, 1500) i);
                    ALTER PUBLICATION svc_realtime ADD TABLE %1$s;
                    INSERT INTO %1$s DEFAULT VALUES;
                END $$""".formatted(table);
    }

    /** The process of the server that sends the log. */
    private String reader() {
        return projects.ask("SELECT coalesce(max(active_pid), 0)::text FROM pg_replication_slots"
                + " WHERE database = current_database() AND active");
    }
}
