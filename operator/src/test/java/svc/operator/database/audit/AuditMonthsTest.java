package svc.operator.database.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import svc.database.platform.PlatformSchema;
import svc.operator.database.PartitionMaintenance;
import svc.operator.testing.TestingPostgres;

/** Promise: partitions of the SQL audit exist before they are needed and are dropped past the retention; no row is ever lost. */
class AuditMonthsTest {
    private static final Instant MARCH = Instant.parse("2031-03-10T08:00:00Z");
    private static final int RETENTION = 13;

    private final PGSimpleDataSource platform = database();
    private Instant now = MARCH;
    private final PartitionMaintenance maintenance =
            PartitionMaintenance.ofAudit(platform, RETENTION, (InstantSource) () -> now);

    private static PGSimpleDataSource database() {
        var source = new PGSimpleDataSource();
        source.setUrl(TestingPostgres.server().jdbcUrl(TestingPostgres.server().createDatabase("audit")));
        source.setUser(svc.embedded.postgres.EmbeddedPostgres.OPERATOR);
        source.setPassword(TestingPostgres.server().operatorPassword());
        return source;
    }

    AuditMonthsTest() {
        PlatformSchema.migrate(platform);
        // Those of the day on which this test runs.
        ask("SELECT relname FROM pg_class WHERE relnamespace = 'svc_platform'::regnamespace"
                        + " AND relname ~ '^sql_call_[0-9_]+$'")
                .forEach(month -> act("DROP TABLE svc_platform." + month));
    }

    private List<String> ask(String sql) {
        try (Connection connection = platform.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException("while asking " + sql, e);
        }
    }

    private void act(String sql) {
        try (Connection connection = platform.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("while running " + sql, e);
        }
    }

    private List<String> months() {
        return ask("SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = oid"
                + " WHERE inhparent = 'svc_platform.sql_call'::regclass AND relname ~ '_203' ORDER BY 1");
    }

    private void call(String ref, Instant at) {
        act("SET ROLE svc_platform; INSERT INTO svc_platform.sql_call (id, project_id, ref, organisation_id, actor,"
                + " request_id, text_hash, text_bytes, started_at, result) VALUES ('" + UUID.randomUUID() + "', '"
                + UUID.randomUUID() + "', '" + ref + "', 'default', 'service_role', 'r', sha256('x'), 1, '" + at
                + "', 'committed')");
    }

    private List<String> places() {
        return ask("SELECT tableoid::regclass::text || ' ' || ref FROM svc_platform.sql_call ORDER BY started_at");
    }

    @Test
    void makesTheMonthAndThreeAheadOnce() throws SQLException {
        assertThat(maintenance.maintain()).isEqualTo(4);
        assertThat(months())
                .containsExactly("sql_call_2031_03", "sql_call_2031_04", "sql_call_2031_05", "sql_call_2031_06");
        assertThat(maintenance.maintain()).isZero();

        now = Instant.parse("2031-04-01T00:00:00Z");
        assertThat(maintenance.maintain()).isEqualTo(1);
        assertThat(months()).contains("sql_call_2031_07");
    }

    @Test
    void monthsBeginAndEndInUtc() throws SQLException {
        maintenance.maintain();
        call("last", Instant.parse("2031-03-31T23:59:59.999999Z"));
        call("first", Instant.parse("2031-04-01T00:00:00Z"));
        assertThat(places())
                .containsExactly("svc_platform.sql_call_2031_03 last", "svc_platform.sql_call_2031_04 first");
    }

    @Test
    void callsOfAMissingMonthWaitAndMoveIntoIt() throws SQLException {
        Instant far = Instant.parse("2032-01-15T00:00:00Z");
        call("early", MARCH);
        call("far", far);
        assertThat(places()).containsExactly("svc_platform.sql_call_other early", "svc_platform.sql_call_other far");

        maintenance.maintain();

        assertThat(places())
                .containsExactly("svc_platform.sql_call_2031_03 early", "svc_platform.sql_call_2032_01 far");
    }

    @Test
    void dropsAMonthOnlyWhenItsLastCallIsTooOld() throws SQLException {
        maintenance.maintain();
        call("kept", Instant.parse("2031-03-31T23:59:59Z"));
        now = Instant.parse("2032-04-30T23:59:59Z");
        maintenance.maintain();
        assertThat(places()).containsExactly("svc_platform.sql_call_2031_03 kept");

        now = Instant.parse("2032-05-01T00:00:00Z");
        maintenance.maintain();

        assertThat(places()).isEmpty();
        assertThat(months()).doesNotContain("sql_call_2031_03").contains("sql_call_2031_04", "sql_call_2032_05");
    }

    @Test
    void dropsWaitingCallsThatAreTooOld() throws SQLException {
        now = Instant.parse("2033-01-01T00:00:00Z");
        call("old", MARCH);
        maintenance.maintain();
        assertThat(places()).isEmpty();
        assertThat(months()).doesNotContain("sql_call_2031_03");
    }

    @Test
    void severalOperatorsAtOnceMakeEachMonthOnce() throws Exception {
        try (var operators = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                all.add(maintenance::maintain);
            }
            int made = 0;
            for (Future<Integer> each : operators.invokeAll(all)) {
                made += each.get();
            }
            assertThat(made).isEqualTo(4);
        }
    }

    /** An operator that cannot have the table leaves it alone and comes back; callers never wait for longer than that. */
    @Test
    void doesNotStandInTheWayOfCalls() throws SQLException {
        try (Connection reader = platform.getConnection();
                var statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM svc_platform.sql_call");

            assertThatThrownBy(maintenance::maintain)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("55P03"));
            assertThat(months()).isEmpty();
        }
        assertThat(maintenance.maintain()).isEqualTo(4);
    }

    @Test
    void theControlPlaneCanNeitherDropNorRewrite() {
        for (String act : List.of(
                "SELECT svc_platform.maintain_sql_call_partitions(now(), 0, 1)",
                "DELETE FROM svc_platform.sql_call",
                "UPDATE svc_platform.sql_call SET actor = 'token'",
                "DELETE FROM svc_platform.sql_call_other",
                "TRUNCATE svc_platform.sql_call",
                "DROP TABLE svc_platform.sql_call")) {
            assertThatThrownBy(() -> act("SET ROLE svc_platform; " + act))
                    .as(act)
                    .hasRootCauseInstanceOf(SQLException.class)
                    .rootCause()
                    .hasMessageMatching("(?s).*(permission denied|must be owner).*");
        }
    }

    @Test
    void rowsOfBeforeKeepTheirContent() throws SQLException {
        PGSimpleDataSource before = database();
        Flyway.configure()
                .dataSource(before)
                .schemas("svc_platform")
                .defaultSchema("svc_platform")
                .createSchemas(true)
                .table("schema_history")
                .locations("classpath:svc/database/platform")
                .target("3")
                .load()
                .migrate();
        OffsetDateTime old = Instant.now().atOffset(ZoneOffset.UTC).minus(Duration.ofDays(900));
        try (Connection connection = before.getConnection();
                var insert = connection.prepareStatement("INSERT INTO svc_platform.sql_call (id, project_id, ref,"
                        + " organisation_id, actor, token_id, request_id, address, text_hash, text_bytes,"
                        + " statement_kinds, started_at, result, rows_returned, duration_ms) SELECT gen_random_uuid(),"
                        + " gen_random_uuid(), 'ref', 'default', 'token', gen_random_uuid(), 'r' || i, '127.0.0.1',"
                        + " sha256('x'), 1, '{SelectStmt}', ?::timestamptz + make_interval(days => i * 30), 'committed',"
                        + " i, 5 FROM generate_series(1, 30) AS i")) {
            insert.setObject(1, old);
            insert.executeUpdate();
        }
        String content =
                "SELECT string_agg(concat_ws(' ', id, project_id, ref, token_id, request_id, address, text_hash,"
                        + " statement_kinds, started_at, result, rows_returned, duration_ms), ';' ORDER BY started_at)"
                        + " FROM svc_platform.sql_call";
        String written = one(before, content);

        PlatformSchema.migrate(before);

        assertThat(one(before, content)).isEqualTo(written);
        assertThat(one(before, "SELECT count(*) FROM svc_platform.sql_call_other"))
                .isEqualTo("0");
    }

    private static String one(PGSimpleDataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
