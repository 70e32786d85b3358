package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** Transactions that PostgreSQL sends while they run arrive as all others do: whole, once, and in the order of commits. */
@Timeout(180)
class UnfinishedTransactionsTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("unfinished");
    private final Tenant neighbour = projects.project("neighbour");
    private TestingFeed process;

    @BeforeEach
    void publish() {
        for (Tenant project : List.of(tenant, neighbour)) {
            projects.asOwner(
                    project,
                    "CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE unpublished (id int, v text);"
                            + " GRANT SELECT ON t TO " + project.names().schemaName() + "_anon");
            TestingFeed.publish(projects, project, "t");
        }
        process = new TestingFeed(projects, REDIS.url());
    }

    /** Each block has one change then, however small the transaction is. */
    private void streamEachChange() {
        TestingFeed.setReader(projects, "SET debug_logical_replication_streaming = immediate");
    }

    @AfterEach
    void stop() {
        TestingFeed.setReader(projects, "RESET ALL");
        process.close();
        TestingFeed.dropSlot(projects, tenant);
    }

    private Recorded subscribed(Tenant of) {
        return process.subscribed(of, Caller.anon(), binding(1, "*", "t"));
    }

    private Connection open() throws SQLException {
        Connection open = TestingFeed.owner(projects, tenant);
        open.setAutoCommit(false);
        return open;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList();
    }

    /** What PostgreSQL did for the slot: transactions written to its disk, and those sent before they ended. */
    private String decoded(String column) {
        return projects.ask("SELECT s." + column + " FROM pg_stat_replication_slots s JOIN pg_replication_slots r"
                + " USING (slot_name) WHERE r.database = current_database()");
    }

    @Test
    void aLargeTransactionIsNotWrittenToDiskAndReadAgainAtItsCommit() {
        TestingFeed.setReader(projects, "SET logical_decoding_work_mem = 64");
        Recorded own = subscribed(tenant);
        Recorded others = subscribed(neighbour);
        projects.asOwner(
                tenant,
                "INSERT INTO unpublished SELECT i, repeat('x', 400) FROM generate_series(1, 2000) i;"
                        + " INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 2000) i");
        projects.asOwner(neighbour, "INSERT INTO t VALUES (1)");
        assertThat(own.next(2000, "id")).isEqualTo(numbers(1, 2000));
        assertThat(others.next(1, "id")).containsExactly("1");
        assertThat(decoded("spill_txns")).isEqualTo("0");
        assertThat(decoded("stream_txns")).isEqualTo("1");
        assertThat(own.states()).isEmpty();
    }

    @Test
    void transactionsThatRunAtOnceArriveInTheOrderOfTheirCommits() throws Exception {
        streamEachChange();
        Recorded own = subscribed(tenant);
        Recorded others = subscribed(neighbour);
        try (Connection first = open();
                Connection second = open();
                Statement one = first.createStatement();
                Statement two = second.createStatement()) {
            for (int i = 0; i < 20; i++) {
                one.execute("INSERT INTO t VALUES (" + (100 + i) + ")");
                two.execute("INSERT INTO t VALUES (" + (200 + i) + ")");
                projects.asOwner(neighbour, "INSERT INTO t VALUES (" + i + ")");
            }
            assertThat(others.next(20, "id")).isEqualTo(numbers(0, 19));
            assertThat(own.hasNothing()).isTrue();
            second.commit();
            assertThat(own.next(20, "id")).isEqualTo(numbers(200, 219));
            projects.asOwner(tenant, "INSERT INTO t VALUES (1)");
            first.commit();
            assertThat(own.next(21, "id").getFirst()).isEqualTo("1");
        }
        projects.asOwner(tenant, "UPDATE t SET v = 'x' WHERE id = 100; DELETE FROM t WHERE id = 101");
        assertThat(own.next().type()).isEqualTo("UPDATE");
        assertThat(own.next().type()).isEqualTo("DELETE");
        assertThat(own.states()).isEmpty();
    }

    /** Otherwise a transaction that writes for long would look like a reader that does not get on, and cost the slot. */
    @Test
    void theLogOfATransactionThatRunsIsConfirmed() throws Exception {
        streamEachChange();
        Recorded own = subscribed(tenant);
        try (Connection open = open();
                Statement statement = open.createStatement()) {
            statement.execute("INSERT INTO t VALUES (1)");
            String position = projects.ask("SELECT pg_current_wal_insert_lsn()");
            statement.execute("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> projects.ask("SELECT confirmed_flush_lsn > '" + position
                                    + "' FROM pg_replication_slots" + " WHERE database = current_database()")
                            .equals("t"));
            assertThat(own.hasNothing()).isTrue();
            open.commit();
        }
        assertThat(own.next(3, "id")).containsExactly("1", "2", "3");
    }

    @Test
    void whatFailsArrivesNeverAsAWholeOrBehindASavepoint() throws Exception {
        streamEachChange();
        Recorded own = subscribed(tenant);
        try (Connection open = open();
                Statement statement = open.createStatement()) {
            statement.execute("INSERT INTO t VALUES (1)");
            open.rollback();
            statement.execute("INSERT INTO t VALUES (2); SAVEPOINT a; INSERT INTO t VALUES (3); SAVEPOINT b;"
                    + " INSERT INTO t VALUES (4); RELEASE b; INSERT INTO t VALUES (5); ROLLBACK TO a;"
                    + " INSERT INTO t VALUES (6); SAVEPOINT c; INSERT INTO t VALUES (7); RELEASE c;"
                    + " INSERT INTO t VALUES (8)");
            open.commit();
        }
        projects.asOwner(tenant, "INSERT INTO t VALUES (9)");
        assertThat(own.next(5, "id")).containsExactly("2", "6", "7", "8", "9");
        assertThat(own.states()).isEmpty();
    }

    @Test
    void aTableThatChangesInATransactionIsDescribedAsItsRowsAre() throws Exception {
        streamEachChange();
        Recorded own = subscribed(tenant);
        try (Connection open = open();
                Statement statement = open.createStatement()) {
            statement.execute(
                    "INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN failed int; INSERT INTO t VALUES (2)");
            open.rollback();
            projects.asOwner(tenant, "INSERT INTO t VALUES (3)");
            statement.execute(
                    "INSERT INTO t VALUES (4); ALTER TABLE t RENAME COLUMN v TO w;" + " INSERT INTO t VALUES (5, 'x')");
            open.commit();
        }
        projects.asOwner(tenant, "INSERT INTO t VALUES (6, 'y')");
        assertThat(own.next(2, "id")).containsExactly("3", "4");
        assertThat(own.next().record().get("w").asText()).isEqualTo("x");
        assertThat(own.next().record().get("w").asText()).isEqualTo("y");
    }

    @Test
    void messagesOfTheDatabaseWaitForTheCommit() throws Exception {
        streamEachChange();
        TestingFeed.asSystem(projects, tenant, "SELECT svc_statements.publish_messages()");
        TestingFeed.apply(projects);
        Recorded own = subscribed(tenant);
        String send = "INSERT INTO " + tenant.names().realtime().sql()
                + ".messages (id, topic, extension, event, private, payload)"
                + " VALUES (gen_random_uuid(), '%s', 'broadcast', 'e', false, '{}')";
        projects.asOperator("BEGIN; " + send.formatted("failed") + "; ROLLBACK");
        projects.asOperator("BEGIN; " + send.formatted("sent") + "; INSERT INTO "
                + tenant.names().schemaName() + ".t VALUES (1); COMMIT");
        assertThat(own.next(1, "id")).containsExactly("1");
        assertThat(process.messages().poll(60, TimeUnit.SECONDS).message().topic())
                .isEqualTo("sent");
        assertThat(process.messages()).isEmpty();
    }

    /** Rows beyond the limit are not kept. When some are rolled back it is not known which, and the transaction is read again, whole. */
    @Test
    void aTransactionThatIsNotKeptArrivesWholeAndInItsPlace() throws Exception {
        streamEachChange();
        Recorded own = subscribed(tenant);
        Recorded others = subscribed(neighbour);
        projects.asOwner(neighbour, "INSERT INTO t VALUES (1)");
        try (Connection open = open();
                Statement statement = open.createStatement()) {
            statement.execute("INSERT INTO t SELECT generate_series(1, 10); SAVEPOINT a;"
                    + " INSERT INTO t SELECT i, repeat('x', 2000000) FROM generate_series(1001, 1040) i; ROLLBACK TO a;"
                    + " INSERT INTO t SELECT generate_series(11, 20)");
            open.commit();
        }
        projects.asOwner(tenant, "INSERT INTO t VALUES (21)");
        projects.asOwner(neighbour, "INSERT INTO t VALUES (2)");
        assertThat(own.next(21, "id")).isEqualTo(numbers(1, 21));
        assertThat(others.next(2, "id")).containsExactly("1", "2");
        assertThat(own.states()).isEmpty();
        assertThat(others.states()).isEmpty();
    }
}
