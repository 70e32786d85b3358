package svc.postgres.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.key.Purpose;
import svc.database.shared.RealtimePublication;
import svc.platform.tenancy.Tenant;
import svc.postgres.SqlError;
import svc.testing.DatabaseProxy;
import svc.testing.TestingProjects;

/** The slot of a shared database, read as the platform's login for the log. */
class WalStreamTest {
    private final TestingProjects projects = TestingProjects.create();
    private final Tenant tenant = projects.project("log");
    private final WalSource database =
            WalSource.shared(tenant.database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION));

    @BeforeEach
    void publishATable() throws Exception {
        projects.asOwner(
                tenant,
                "CREATE TABLE notes (id int PRIMARY KEY, body text, at timestamptz);"
                        + " CALL svc_statements.publish('ADD', 'supabase_realtime', '{notes}')");
        try (var superuser = TestingProjects.SERVER.connect(projects.database())) {
            RealtimePublication.apply(superuser);
        }
    }

    @AfterEach
    void dropTheSlot() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            try {
                database.drop();
                return;
            } catch (SqlError e) {
                Thread.sleep(100);
            }
        }
    }

    private static LogMessage.Insert nextInsert(WalStream stream, List<LogMessage> passed) {
        while (true) {
            LogMessage message = LogDecoder.decode(stream.next());
            passed.add(message);
            if (message instanceof LogMessage.Insert insert) {
                return insert;
            }
        }
    }

    private static String value(LogMessage.Insert insert, int column) {
        return ((LogMessage.Value.Text) insert.row().values().get(column)).text();
    }

    @Test
    void whatCommitsAfterTheSlotIsReadInOrderAndAgainUntilItIsConfirmed() throws Exception {
        database.create();
        database.create();
        try (var connection = database.open()) {
            SlotState before = connection.state();
            assertThat(before.found()).isTrue();
            assertThat(before.active()).isFalse();
            projects.asOwner(
                    tenant, "SET timezone = 'Asia/Tokyo'; INSERT INTO notes VALUES (1, 'a', '2026-01-02T03:04:05Z')");
            List<LogMessage> passed = new ArrayList<>();
            try (WalStream stream = database.stream()) {
                assertThat(value(nextInsert(stream, passed), 2)).isEqualTo("2026-01-02 03:04:05+00");
                assertThat(passed.get(0))
                        .isInstanceOfSatisfying(
                                LogMessage.Begin.class,
                                begin -> assertThat(begin.commitPosition())
                                        .isGreaterThanOrEqualTo(before.logPosition()));
                assertThat(passed.get(1)).isInstanceOfSatisfying(LogMessage.Relation.class, relation -> {
                    assertThat(relation.schema()).isEqualTo(tenant.names().schemaName());
                    assertThat(relation.table()).isEqualTo("notes");
                });
                assertThatThrownBy(database::stream).isInstanceOf(SqlError.class);
                assertThat(connection.state().active()).isTrue();
            }
            passed.clear();
            try (WalStream again = reopened()) {
                assertThat(value(nextInsert(again, passed), 0)).isEqualTo("1");
                var commit = (LogMessage.Commit) LogDecoder.decode(again.next());
                again.confirm(commit.end());
                again.report();
            }
            projects.asOwner(tenant, "INSERT INTO notes VALUES (2, 'b')");
            try (WalStream third = reopened()) {
                assertThat(value(nextInsert(third, passed), 0)).isEqualTo("2");
            }
        }
    }

    /** The server notices within moments that a reader has gone. */
    private WalStream reopened() throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                return database.stream();
            } catch (SqlError e) {
                if (i == 100) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    @Test
    void aClosedStreamFreesItsReader() {
        database.create();
        WalStream stream = database.stream();
        var reader = new Thread(() -> assertThatThrownBy(stream::next).isInstanceOf(SqlError.class));
        reader.start();
        stream.close();
        assertThat(joined(reader)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRowOfManyMegabytesIsCutAlsoUnderTls(boolean tls) {
        database.create();
        projects.asOwner(
                tenant, "INSERT INTO notes VALUES (1, repeat('x', 20000000)); INSERT INTO notes VALUES (2, 'after')");
        try (var proxy = new DatabaseProxy(tenant.database().jdbcUrl(), tls)) {
            var behind = WalSource.shared(
                    proxy.before(tenant).database(), () -> projects.platformPassword(Purpose.LOGIN_REPLICATION));
            try (WalStream stream = behind.stream()) {
                ByteBuffer row = stream.next();
                while (row.get(row.position()) != 'I') {
                    row = stream.next();
                }
                assertThat(row.remaining()).isBetween(15 << 20, 16 << 20);
                assertThat(value(nextInsert(stream, new ArrayList<>()), 1)).isEqualTo("after");
            }
        }
    }

    private static boolean joined(Thread thread) {
        try {
            return thread.join(java.time.Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theProjectsOwnLoginsLearnNothingOfSlots() {
        assertThatThrownBy(() -> projects.asOwner(tenant, "SELECT svc_functions.realtime_slot('x')"))
                .hasMessageContaining("permission denied");
    }
}
