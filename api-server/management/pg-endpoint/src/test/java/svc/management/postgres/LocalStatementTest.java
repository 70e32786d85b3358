package svc.management.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalStatementTest {
    private static Optional<LocalStatement> of(String sql) {
        return LocalStatement.of(sql, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ;; ", "-- ping", "/* a */ -- b\n;"})
    void spaceAndCommentsAreEmpty(String sql) {
        assertThat(of(sql)).hasValue(new LocalStatement.Empty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "-- a comment\nSELECT 1",
                "BEGIN; SELECT 1; COMMIT",
                "COMMIT; DROP TABLE x",
                "COMMIT PREPARED 'a'",
                "COMMIT AND CHAIN",
                "/* /* */ BEGIN */ SELECT 1",
                "SHOW application_name",
                "BEGINS"
            })
    void everythingElseIsForTheGate(String sql) {
        assertThat(of(sql)).isEmpty();
    }

    @Test
    void theRestOfALongCommentIsNoStatement() {
        assertThat(of("-- " + "x".repeat(LocalStatement.MAX_COMMENT - 3) + "commit"))
                .isEmpty();
    }

    @Test
    void transactionsBeginAsTheyAreWritten() {
        assertThat(of("begin")).hasValue(new LocalStatement.Begin("BEGIN", TransactionModes.NONE));
        assertThat(of("BEGIN READ ONLY;"))
                .hasValue(new LocalStatement.Begin("BEGIN", modes(Optional.empty(), Optional.of(true))));
        assertThat(of("/* x */ START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY"))
                .hasValue(new LocalStatement.Begin(
                        "START TRANSACTION", modes(Optional.of("read committed"), Optional.of(true))));
        assertThat(of("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"))
                .hasValue(new LocalStatement.Begin("BEGIN", modes(Optional.of("serializable"), Optional.of(false))));
        assertThat(of("BEGIN ISOLATION LEVEL CHAOS")).isEmpty();
        assertThat(of("END")).hasValue(new LocalStatement.Commit());
        assertThat(of("abort work")).hasValue(new LocalStatement.Rollback());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET client_encoding TO 'UTF8'",
                "SET SESSION AUTHORIZATION DEFAULT",
                "SET idle_in_transaction_session_timeout = 0",
                "UNLISTEN *"
            })
    void whatDriversSayOfTheirSessionIsAccepted(String sql) {
        assertThat(of(sql).orElseThrow()).isInstanceOf(LocalStatement.Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET work_mem = '1GB'", "SET client_encoding = latin1"})
    void aSettingThatWouldEndWithItsMessageIsRefusedOutsideOfATransaction(String sql) {
        assertThat(of(sql).orElseThrow()).isInstanceOf(LocalStatement.Refused.class);
        assertThat(LocalStatement.of(sql, true)).isEmpty();
    }

    private static TransactionModes modes(Optional<String> isolation, Optional<Boolean> readOnly) {
        return new TransactionModes(isolation, readOnly, Optional.empty());
    }

    @Test
    void savepointsHaveTheNameThatIsWritten() {
        assertThat(of("SAVEPOINT \"A b\"")).hasValue(new LocalStatement.Savepoint("A b"));
        assertThat(of("release savepoint S1;")).hasValue(new LocalStatement.Release("s1"));
        assertThat(of("ROLLBACK TO SAVEPOINT a")).hasValue(new LocalStatement.ReturnTo("a"));
        assertThat(of("rollback work to a")).hasValue(new LocalStatement.ReturnTo("a"));
        assertThat(of("SAVEPOINT a b")).isEmpty();
    }

    @Test
    void settingsHaveTheValueThatIsWritten() {
        assertThat(of("SET TIME ZONE 'Europe/Berlin'"))
                .hasValue(new LocalStatement.Setting("TimeZone", Optional.of("Europe/Berlin"), false, "SET"));
        assertThat(of("set local datestyle to ISO, dmy"))
                .hasValue(new LocalStatement.Setting("DateStyle", Optional.of("iso, dmy"), true, "SET"));
        assertThat(of("SET app.tenant = E'a\\'b'"))
                .hasValue(new LocalStatement.Setting("app.tenant", Optional.of("a'b"), false, "SET"));
        assertThat(of("RESET TIME ZONE"))
                .hasValue(new LocalStatement.Setting("TimeZone", Optional.empty(), false, "RESET"));
        assertThat(of("SELECT pg_catalog.set_config('search_path', '', false)"))
                .hasValue(
                        new LocalStatement.SetConfig(new LocalStatement.SearchPath(java.util.List.of(""), false), ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET svc.project = 'x'",
                "SET plpgsql.extra_errors = 'all'",
                "SET session_replication_role = replica"
            })
    void whatBelongsToThePlatformIsNoSettingOfTheClient(String sql) {
        assertThat(of(sql).orElseThrow()).isInstanceOf(LocalStatement.Refused.class);
        assertThat(LocalStatement.of(sql, true)).isEmpty();
    }

    @Test
    void aTextIsOfSeveralOnlyIfAllOfThemAre() {
        String reset = "SELECT pg_advisory_unlock_all();\nCLOSE ALL;\nUNLISTEN *;\nRESET ALL;";
        assertThat(LocalStatement.several(reset, false)).hasSize(4);
        assertThat(LocalStatement.several("BEGIN; SELECT 1; COMMIT", false)).isEmpty();
        assertThat(LocalStatement.several("SET app.x = ';'; DROP TABLE t", false))
                .isEmpty();
    }

    @Test
    void longCommentsTakeNoTime() {
        assertThat(of("/*" + "*/ /*".repeat(50_000))).isEmpty();
        assertThat(of(" ".repeat(400_000) + "x" + " ".repeat(400_000))).isEmpty();
    }
}
