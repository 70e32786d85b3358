package svc.postgres.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.sql.SqlFragment;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.postgres.PlatformUnavailable;
import svc.postgres.SqlError;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.pool.PoolSettings;

class PlatformDatabaseTest {
    private static final EmbeddedPostgres SERVER = EmbeddedPostgres.shared();

    private String name;
    private PlatformDatabase database;

    @BeforeEach
    void connect() throws SQLException {
        name = SERVER.createDatabase("platform");
        try (var operator = SERVER.connect(name);
                var statement = operator.createStatement()) {
            statement.execute(
                    "DO $$ BEGIN CREATE ROLE svc_platform LOGIN; EXCEPTION WHEN duplicate_object THEN END $$");
            statement.execute("ALTER ROLE svc_platform PASSWORD 'platform'");
            statement.execute("CREATE SCHEMA svc_platform CREATE TABLE thing (id uuid PRIMARY KEY, name text NOT NULL,"
                    + " size bigint, made timestamptz, raw bytea, tags text[], on_sale bool, extra jsonb)");
            statement.execute("GRANT USAGE ON SCHEMA svc_platform TO svc_platform");
            statement.execute("GRANT ALL ON svc_platform.thing TO svc_platform");
        }
        database = open(PoolSettings.defaults());
    }

    private PlatformDatabase open(PoolSettings settings) {
        return new PlatformDatabase(SERVER.jdbcUrl(name), () -> "platform", settings);
    }

    @AfterEach
    void disconnect() {
        database.close();
    }

    private record Thing(String name, long size, Instant made, byte[] raw, List<String> tags, boolean onSale) {}

    @Test
    void valuesComeBackAsTheyWereBound() {
        UUID id = UUID.randomUUID();
        Instant made = Instant.now().truncatedTo(ChronoUnit.MICROS);
        int rows = database.update(
                SqlFragment.of("INSERT INTO svc_platform.thing VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb)"),
                id,
                "quote ' and \\ and ?",
                5L,
                made,
                new byte[] {0, 1, -1},
                List.of("a", "b,c"),
                true,
                null);
        assertThat(rows).isOne();
        Thing thing = database.queryOne(
                        SqlFragment.of("SELECT * FROM svc_platform.thing WHERE id = ?"),
                        row -> new Thing(
                                row.text("name"),
                                row.number("size"),
                                row.instant("made"),
                                row.bytes("raw"),
                                row.texts("tags"),
                                row.flag("on_sale")),
                        id)
                .orElseThrow();
        assertThat(thing)
                .usingRecursiveComparison()
                .isEqualTo(
                        new Thing("quote ' and \\ and ?", 5, made, new byte[] {0, 1, -1}, List.of("a", "b,c"), true));
        Optional<String> extra = database.queryOne(
                        SqlFragment.of("SELECT extra FROM svc_platform.thing"),
                        row -> row.optional("extra", String.class))
                .orElseThrow();
        assertThat(extra).isEmpty();
    }

    @Test
    void anErrorCarriesWhatTheServerSaidAndLeavesTheConnectionUsable() {
        UUID id = UUID.randomUUID();
        insert(id);
        assertThatThrownBy(() -> insert(id)).isInstanceOfSatisfying(SqlError.class, error -> {
            assertThat(error.is("23505")).isTrue();
            assertThat(error.constraint()).contains("thing_pkey");
            assertThat(error.detail())
                    .hasValueSatisfying(text -> assertThat(text).contains("already exists"));
        });
        assertThat(count()).isOne();
    }

    @Test
    void aTransactionIsAllOrNothing() {
        assertThatThrownBy(() -> database.transaction(statements -> {
                    statements.update(
                            SqlFragment.of("INSERT INTO svc_platform.thing (id, name) VALUES (?, 'x')"),
                            UUID.randomUUID());
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");
        assertThat(count()).isZero();
        database.transaction(statements -> statements.update(
                SqlFragment.of("INSERT INTO svc_platform.thing (id, name) VALUES (?, 'x')"), UUID.randomUUID()));
        assertThat(count()).isOne();
    }

    @Test
    void aFullPoolMakesCallersWaitAndNoLonger() {
        try (var small = open(PoolSettings.defaults().withCap(1).withAcquireTimeout(Duration.ofSeconds(3)))) {
            small.<Void>transaction(statements -> {
                assertThatThrownBy(() -> small.update(SqlFragment.of("SELECT 1")))
                        .isInstanceOf(PlatformUnavailable.class);
                return null;
            });
            assertThat(small.query(SqlFragment.of("SELECT 1 AS one"), row -> row.number("one")))
                    .containsExactly(1L);
        }
    }

    @Test
    void aRestartOfTheServerIsSurvived() throws Exception {
        count();
        try (var operator = SERVER.connect(name);
                var statement = operator.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE usename = 'svc_platform' AND datname = current_database()");
        }
        Thread.sleep(1_100);
        assertThat(count()).isZero();
    }

    @Test
    void aServerThatIsNotThereIsUnavailable() {
        try (var nowhere = new PlatformDatabase(
                "jdbc:postgresql://127.0.0.1:1/platform", () -> "platform", PoolSettings.defaults())) {
            assertUnavailable(nowhere, SqlFragment.of("SELECT 1"), "08001");
        }
    }

    @Test
    void aDatabaseOrALoginThatIsRefusedIsUnavailable() {
        try (var wrong = new PlatformDatabase(SERVER.jdbcUrl(name), () -> "guess", PoolSettings.defaults());
                var missing =
                        new PlatformDatabase(SERVER.jdbcUrl("no_such"), () -> "platform", PoolSettings.defaults())) {
            assertUnavailable(wrong, SqlFragment.of("SELECT 1"), "28P01");
            assertUnavailable(missing, SqlFragment.of("SELECT 1"), "3D000");
        }
    }

    @Test
    void onlyTablesThatAreNotPreparedAreUnavailable() {
        assertUnavailable(database, SqlFragment.of("SELECT 1 FROM svc_platform.not_yet"), "42P01");
        for (SqlFragment fault : List.of(
                SqlFragment.of("SELECT nothing FROM svc_platform.thing"),
                SqlFragment.of("SELECT 1/0"),
                SqlFragment.of("SELEC"))) {
            assertThatThrownBy(() -> database.update(fault)).isInstanceOf(SqlError.class);
        }
    }

    private static void assertUnavailable(PlatformDatabase database, SqlFragment sql, String reason) {
        assertThatThrownBy(() -> database.update(sql))
                .isInstanceOfSatisfying(
                        PlatformUnavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo(reason));
    }

    private void insert(UUID id) {
        database.update(SqlFragment.of("INSERT INTO svc_platform.thing (id, name) VALUES (?, 'x')"), id);
    }

    private long count() {
        return database.queryOne(SqlFragment.of("SELECT count(*) AS n FROM svc_platform.thing"), row -> row.number("n"))
                .orElseThrow();
    }
}
