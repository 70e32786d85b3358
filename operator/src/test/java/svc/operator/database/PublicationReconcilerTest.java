package svc.operator.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import svc.database.loop.ProjectRunner;
import svc.database.loop.RunnerSettings;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.TestingPostgres;

class PublicationReconcilerTest {
    private static final String SCHEMA = "proj_0123456789abcdef0123456789abcdef";

    private final String database = TestingPostgres.database();

    @Test
    void aListedTableIsPublishedAndADroppedOneIsNot() throws Exception {
        run("CREATE SCHEMA " + SCHEMA + "; CREATE TABLE " + SCHEMA + ".a (id int PRIMARY KEY)");
        var source = TestingPostgres.server().dataSource(database);
        try (var runner = new ProjectRunner("test", RunnerSettings.of(1, 1, Duration.ofSeconds(1)))) {
            new PublicationReconciler("test", source, runner).start();
            run("INSERT INTO svc_guard.realtime_publication VALUES ('" + SCHEMA + "', '" + SCHEMA + ".a'::regclass)");
            Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> published() == 1);
            Awaitility.await().atMost(TestingOperator.LIMIT).until(() -> slots() == 1);
            run("DROP TABLE " + SCHEMA + ".a");
            assertThat(published()).isZero();
        } finally {
            run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                    + " WHERE database = current_database()");
        }
    }

    private int slots() throws SQLException {
        return count("pg_replication_slots WHERE database = current_database() AND confirmed_flush_lsn IS NOT NULL");
    }

    private int published() throws SQLException {
        return count("pg_publication_tables WHERE pubname = 'svc_realtime'");
    }

    private int count(String from) throws SQLException {
        try (Connection connection = TestingPostgres.server().connect(database);
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + from)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = TestingPostgres.server().connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
