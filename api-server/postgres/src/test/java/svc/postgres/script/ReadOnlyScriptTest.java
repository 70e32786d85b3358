package svc.postgres.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import svc.postgres.script.ScriptRun.Mode;

/** A read-only script changes nothing, whatever it tries; judged by what is in the database afterwards. */
@Timeout(60)
class ReadOnlyScriptTest {
    private static TestingOwner owner;
    private static OwnerSessions sessions;

    @BeforeAll
    static void start() {
        owner = TestingOwner.create();
        sessions = new OwnerSessions(RunLimits.defaults(), TestingOwner.platformLogin());
        ScriptOutcome made = sessions.run(
                owner.ownerLogin(),
                ScriptRun.of(
                        "CREATE TABLE kept (id int PRIMARY KEY, note text); INSERT INTO kept VALUES (1, 'as it was');"
                                + " CREATE SEQUENCE counter; SELECT nextval('counter');"
                                + " CREATE FUNCTION writes() RETURNS int LANGUAGE sql SECURITY DEFINER AS"
                                + " 'UPDATE kept SET note = ''changed'' RETURNING id';"
                                + " CREATE FUNCTION unlocks() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS"
                                + " 'BEGIN PERFORM set_config(''transaction_read_only'', ''off'', true); UPDATE kept SET note = ''changed''; RETURN 1; END'",
                        Duration.ofSeconds(30)));
        assertThat(made).isInstanceOf(ScriptOutcome.Committed.class);
    }

    @AfterAll
    static void stop() {
        sessions.close();
    }

    private static ScriptOutcome read(String sql) {
        return sessions.run(
                owner.ownerLogin(), ScriptRun.of(sql, Duration.ofSeconds(30)).in(Mode.READ_ONLY));
    }

    private static String state() {
        String schema = owner.names().schemaName();
        return owner.ask("SELECT (SELECT string_agg(id || note, ',') FROM " + schema + ".kept) || ' '"
                + " || (SELECT last_value FROM " + schema + ".counter) || ' '"
                + " || (SELECT count(*) FROM pg_class WHERE relnamespace = '" + schema + "'::regnamespace)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO kept VALUES (2, 'new')",
                "UPDATE kept SET note = 'changed'",
                "DELETE FROM kept",
                "TRUNCATE kept",
                "WITH gone AS (DELETE FROM kept RETURNING *) SELECT * FROM gone",
                "SELECT writes()",
                "SELECT unlocks()",
                "SELECT nextval('counter')",
                "SELECT setval('counter', 99)",
                "SELECT * FROM kept FOR UPDATE",
                "LOCK TABLE kept IN ACCESS EXCLUSIVE MODE",
                "CREATE TABLE made (id int)",
                "CREATE TABLE made AS SELECT 1",
                "SELECT 1 INTO made",
                "CREATE TEMP TABLE made (id int)",
                "DROP TABLE kept",
                "COMMENT ON TABLE kept IS 'changed'",
                "GRANT SELECT ON kept TO PUBLIC",
                "EXPLAIN ANALYZE DELETE FROM kept",
                "SET TRANSACTION READ WRITE; DELETE FROM kept",
                "SET transaction_read_only = off; DELETE FROM kept",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DELETE FROM kept",
                "SET default_transaction_read_only = off; DELETE FROM kept",
                "SELECT set_config('transaction_read_only', 'off', false); DELETE FROM kept",
                "SELECT set_config('transaction_read_only', 'off', true), writes()",
                "RESET transaction_read_only; DELETE FROM kept",
                "RESET ALL; DELETE FROM kept",
                "SAVEPOINT a; SET TRANSACTION READ WRITE; DELETE FROM kept",
                "SAVEPOINT a; ROLLBACK TO a; SET transaction_read_only = off; DELETE FROM kept",
                "DO $$ BEGIN EXECUTE 'SET TRANSACTION READ WRITE'; DELETE FROM kept; END $$",
                "DO $$ BEGIN EXECUTE 'SET LOCAL transaction_read_only = off'; DELETE FROM kept; END $$",
                "DO $$ BEGIN PERFORM set_config('transaction_read_only', 'off', true); DELETE FROM kept; END $$",
                "DO $$ BEGIN EXECUTE 'ROLLBACK; BEGIN READ WRITE'; DELETE FROM kept; END $$",
                "DO $$ BEGIN COMMIT; DELETE FROM kept; END $$",
                "DO $$ BEGIN ROLLBACK AND CHAIN; DELETE FROM kept; END $$",
                "PREPARE p AS DELETE FROM kept; EXECUTE p"
            })
    void changesNothing(String sql) {
        String before = state();
        ScriptOutcome outcome = read(sql);
        assertThat(state()).as("%s → %s", sql, outcome).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM kept",
                "SELECT nextval('counter')",
                "DO $$ BEGIN EXECUTE 'SET TRANSACTION READ WRITE'; END $$",
                "SELECT set_config('transaction_read_only', 'off', false)"
            })
    void saysSo(String sql) {
        assertThat(((ScriptOutcome.Failed) read(sql)).error().sqlState()).isIn("25006", "25001");
    }

    @Test
    void sendsNoNotification() throws SQLException {
        try (Connection listener = TestingOwner.SERVER.connect(TestingOwner.DATABASE)) {
            listener.createStatement().execute("LISTEN whisper");
            read("NOTIFY whisper, 'read only'; SELECT 1");
            sessions.run(owner.ownerLogin(), ScriptRun.of("NOTIFY whisper, 'written'", Duration.ofSeconds(30)));
            assertThat(listener.unwrap(PGConnection.class).getNotifications(10_000))
                    .extracting(notification -> notification.getParameter())
                    .containsExactly("written");
        }
    }

    @Test
    void reads() {
        var read = (ScriptOutcome.Committed) read("SELECT note FROM kept; SELECT lower(note), current_user FROM kept");
        assertThat(read.commands()).containsExactly("SELECT 1", "SELECT 1");
    }

    @Test
    void rehearsesWithoutKeeping() {
        String before = state();
        var rehearsed = (ScriptOutcome.Committed) sessions.run(
                owner.ownerLogin(),
                ScriptRun.of("CREATE TABLE made (id int); INSERT INTO made VALUES (1)", Duration.ofSeconds(30))
                        .in(Mode.REHEARSAL));
        assertThat(rehearsed.commands()).isEqualTo(List.of("CREATE TABLE", "INSERT 0 1"));
        var failed = (ScriptOutcome.Failed) sessions.run(
                owner.ownerLogin(),
                ScriptRun.of(
                                "CREATE TABLE made (id int REFERENCES kept DEFERRABLE INITIALLY DEFERRED);"
                                        + " INSERT INTO made VALUES (7)",
                                Duration.ofSeconds(30))
                        .in(Mode.REHEARSAL));
        assertThat(failed.error().sqlState()).isEqualTo("23503");
        assertThat(state()).isEqualTo(before);
    }
}
