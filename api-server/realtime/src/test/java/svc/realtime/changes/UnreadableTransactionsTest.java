package svc.realtime.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.realtime.changes.TestingFeed.binding;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.database.name.DatabaseRole;
import svc.embedded.redis.EmbeddedRedis;
import svc.platform.dataplane.Caller;
import svc.platform.tenancy.Tenant;
import svc.testing.TestingProjects;

/** What PostgreSQL cannot send to a reader is passed, its project hears so, and the others notice a pause. */
@Timeout(180)
class UnreadableTransactionsTest {
    private static final EmbeddedRedis REDIS = EmbeddedRedis.forTests();
    private static final String UNREADABLE = "failed: Changes are lost: PostgreSQL cannot send a transaction of this"
            + " project, such as a row of more than 1 GB; read again what changed since 2[0-9-]+T[0-9:.]+Z";

    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("unreadable");
    private final Tenant neighbour = projects.project("neighbour");
    private final List<TestingFeed> processes = new ArrayList<>();

    @BeforeEach
    void publish() throws SQLException {
        // Its values can be stored and not be sent: as rows whose text is too long, without their gigabytes.
        try (Connection superuser = TestingProjects.SERVER.connect(projects.database());
                var statement = superuser.createStatement()) {
            statement.execute("""
                    CREATE TYPE %1$s.unsendable;
                    CREATE FUNCTION %1$s.unsendable_in(cstring) RETURNS %1$s.unsendable
                        LANGUAGE internal IMMUTABLE STRICT AS 'textin';
                    CREATE FUNCTION %1$s.unsendable_out(%1$s.unsendable) RETURNS cstring
                        LANGUAGE internal IMMUTABLE STRICT AS 'trigger_out';
                    CREATE TYPE %1$s.unsendable
                        (INPUT = %1$s.unsendable_in, OUTPUT = %1$s.unsendable_out, LIKE = text);
                    CREATE TABLE %1$s.t (id int PRIMARY KEY, v %1$s.unsendable);
                    ALTER TABLE %1$s.t OWNER TO %2$s""".formatted(
                            tenant.names().schemaName(),
                            tenant.names().role(DatabaseRole.OWNER).name()));
        }
        projects.asOwner(tenant, "GRANT SELECT ON t TO " + tenant.names().schemaName() + "_anon");
        projects.asOwner(
                neighbour,
                "CREATE TABLE t (id int PRIMARY KEY); GRANT SELECT ON t TO "
                        + neighbour.names().schemaName() + "_anon");
        TestingFeed.publish(projects, tenant, "t");
        TestingFeed.publish(projects, neighbour, "t");
        for (int i = 0; i < 2; i++) {
            processes.add(new TestingFeed(projects, REDIS.url()));
        }
    }

    @AfterEach
    void stop() {
        processes.forEach(TestingFeed::close);
        TestingFeed.dropSlot(projects, tenant);
    }

    private Recorded subscribed(int process, Tenant of) {
        return processes.get(process).subscribed(of, Caller.anon(), binding(1, "*", "t"));
    }

    private void writeUnsendable(int id) {
        try (Connection superuser = TestingProjects.SERVER.connect(projects.database());
                var statement = superuser.createStatement()) {
            statement.execute("INSERT INTO " + tenant.names().schemaName() + ".t VALUES (" + id + ", NULL), ("
                    + (id + 1) + ", 'x'), (" + (id + 2) + ", NULL)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTransactionThatCannotBeSentIsPassedAndItsProjectHearsSo() {
        List<Recorded> own = List.of(subscribed(0, tenant), subscribed(1, tenant));
        List<Recorded> others = List.of(subscribed(0, neighbour), subscribed(1, neighbour));
        for (int round = 1; round <= 2; round++) {
            int id = round * 10;
            projects.asOwner(tenant, "INSERT INTO t (id) VALUES (" + id + ")");
            projects.asOwner(neighbour, "INSERT INTO t (id) VALUES (" + id + ")");
            writeUnsendable(id + 1);
            projects.asOwner(neighbour, "INSERT INTO t (id) VALUES (" + (id + 5) + ")");
            projects.asOwner(tenant, "INSERT INTO t (id) VALUES (" + (id + 5) + ")");
            for (Recorded channel : others) {
                assertThat(channel.next(2, "id")).containsExactly("" + id, "" + (id + 5));
                assertThat(channel.states()).isEmpty();
            }
            for (Recorded channel : own) {
                // The row before the one that cannot be sent is of the same transaction, and may arrive.
                List<String> arrived = new ArrayList<>(channel.next(2, "id"));
                if (arrived.getLast().equals("" + (id + 1))) {
                    arrived.set(1, channel.next(1, "id").getFirst());
                }
                assertThat(arrived).containsExactly("" + id, "" + (id + 5));
                assertThat(channel.nextState()).matches(UNREADABLE);
                assertThat(channel.states()).as("said once").isEmpty();
            }
        }
        List<String> warnings = new ArrayList<>();
        processes.forEach(process -> warnings.addAll(process.warnings()));
        assertThat(warnings)
                .hasSizeBetween(2, 4)
                .allSatisfy(warning -> assertThat(warning)
                        .startsWith(tenant.projectId() + ": The changes of a transaction that committed at 2")
                        .contains("cannot display a value of type trigger"));
    }

    @Test
    void whoSubscribesBehindItHearsOfNoLoss() {
        Recorded first = subscribed(0, tenant);
        writeUnsendable(1);
        assertThat(first.nextState()).matches(UNREADABLE);
        Recorded later = subscribed(1, tenant);
        projects.asOwner(tenant, "INSERT INTO t (id) VALUES (9)");
        assertThat(later.next(1, "id")).containsExactly("9");
        assertThat(later.states()).isEmpty();
    }
}
