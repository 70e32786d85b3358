package svc.operator.watch.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.platform.ProjectRecord;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.embedded.postgres.EmbeddedPostgres.Settings;
import svc.operator.project.database.TestingDatabases;
import svc.operator.testing.TestingOperator;
import svc.operator.watch.TestingWatch;
import svc.operator.watch.rule.Action;
import svc.operator.watch.rule.Rule;
import svc.operator.watch.rule.WatchLimits;

/**
 * Promise: autovacuum does not stay in a tenant's expression. Its worker is ended, the message names the index, and after the
 * second time the table is left alone, so that the neighbours' tables are analysed.
 */
class MaintenanceOfOneProjectTest {
    private static final WatchLimits SHORT = new WatchLimits(
            1,
            Duration.ofSeconds(90),
            Duration.ofMinutes(6),
            Duration.ofSeconds(1),
            4L << 30,
            6,
            Duration.ofMinutes(10),
            2,
            new WatchLimits.Rates(1, 2L << 30),
            Duration.ofSeconds(2));

    private static final String ENDLESS = "LOOP NULL; END LOOP;";

    /** It catches the cancellation as well, and what it catches makes the server forget the progress of its ANALYZE. */
    private static final String ENDLESS_AND_CATCHES_ALL =
            "LOOP BEGIN LOOP PERFORM 1 / (x - x); END LOOP; EXCEPTION WHEN OTHERS OR QUERY_CANCELED THEN NULL; END; END LOOP;";

    /** Fast for the project's own logins, endless for autovacuum. */
    private static String trap(String endless) {
        return """
                CREATE FUNCTION slow(x int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
                BEGIN
                    IF session_user NOT LIKE 'proj%%' THEN %s END IF;
                    RETURN x;
                END $$;
                CREATE TABLE trap (x int);
                CREATE INDEX trap_slow ON trap (slow(x));
                INSERT INTO trap SELECT generate_series(1, 500)""".formatted(endless);
    }

    private final EmbeddedPostgres server;
    private final TestingDatabases databases;
    private final TestingWatch watch;

    MaintenanceOfOneProjectTest() throws Exception {
        // One worker that one table can hold, and that looks for work each second.
        server = EmbeddedPostgres.start(
                Settings.forTests().with(Map.of("autovacuum_max_workers", "1", "autovacuum_naptime", "1s")));
        databases = TestingDatabases.on(server);
        watch = TestingWatch.on(databases, SHORT);
    }

    @AfterEach
    void stop() throws Exception {
        watch.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {ENDLESS, ENDLESS_AND_CATCHES_ALL})
    void aWorkerInATenantsIndexIsEndedAndTheNeighbourIsAnalysed(String endless) throws Exception {
        ProjectRecord trapper = watch.project("trapper");
        watch.run(trapper, trap(endless));

        Action.Terminate ended = watch.await(trapper, Action.Terminate.class);
        ProjectRecord neighbour = watch.project("neighbour");
        watch.run(neighbour, "CREATE TABLE t AS SELECT generate_series(1, 500) AS x");

        assertThat(ended.rule()).isEqualTo(Rule.MAINTENANCE);
        assertThat(ended.message()).contains("table trap", "index trap_slow");
        assertThat(watch.await(trapper, Action.StopMaintenance.class).message()).contains("autovacuum_enabled = true");
        Awaitility.await("the neighbour's table is analysed")
                .atMost(TestingOperator.LIMIT)
                .until(() -> analysed(neighbour, "t"));
        assertThat(options(trapper)).contains("autovacuum_enabled=false");
        assertThat(watch.actions(neighbour)).isEmpty();
    }

    private boolean analysed(ProjectRecord project, String table) throws SQLException {
        return "t"
                .equals(asOperator("SELECT last_autoanalyze IS NOT NULL FROM pg_stat_all_tables WHERE schemaname = '"
                        + project.names().schemaName() + "' AND relname = '" + table + "'"));
    }

    private String options(ProjectRecord project) throws SQLException {
        return asOperator("SELECT reloptions::text FROM pg_class WHERE relname = 'trap' AND relnamespace = '"
                + project.names().schemaName() + "'::regnamespace");
    }

    private String asOperator(String query) throws SQLException {
        try (Connection connection = server.connect(databases.sharedName())) {
            return TestingDatabases.query(connection, query).getFirst();
        }
    }
}
