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
                "ROLLBACK TO SAVEPOINT a",
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
        assertThat(of("begin")).hasValue(new LocalStatement.Begin("BEGIN", false));
        assertThat(of("BEGIN READ ONLY;")).hasValue(new LocalStatement.Begin("BEGIN", true));
        assertThat(of("/* x */ START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY"))
                .hasValue(new LocalStatement.Begin("START TRANSACTION", true));
        assertThat(of("BEGIN ISOLATION LEVEL SERIALIZABLE").orElseThrow()).isInstanceOf(LocalStatement.Refused.class);
        assertThat(of("END")).hasValue(new LocalStatement.Commit());
        assertThat(of("abort work")).hasValue(new LocalStatement.Rollback());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET extra_float_digits = 3",
                "SET application_name = 'PostgreSQL JDBC Driver'",
                "SET client_encoding TO 'UTF8'",
                "set session role postgres",
                "RESET ALL",
                "DISCARD ALL",
                "UNLISTEN *"
            })
    void whatDriversSayOfTheirSessionIsAccepted(String sql) {
        assertThat(of(sql).orElseThrow()).isInstanceOf(LocalStatement.Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET search_path = auth", "SET work_mem = '1GB'", "SET client_encoding = latin1"})
    void aSettingThatWouldEndWithItsMessageIsRefusedOutsideOfATransaction(String sql) {
        assertThat(of(sql).orElseThrow()).isInstanceOf(LocalStatement.Refused.class);
        assertThat(LocalStatement.of(sql, true)).isEmpty();
    }

    @Test
    void longCommentsTakeNoTime() {
        assertThat(of("/*" + "*/ /*".repeat(50_000))).isEmpty();
        assertThat(of(" ".repeat(400_000) + "x" + " ".repeat(400_000))).isEmpty();
    }
}
