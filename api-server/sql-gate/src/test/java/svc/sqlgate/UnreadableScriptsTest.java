package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_OBJECT;
import static svc.platform.problem.ProblemCode.SQL_TOO_LARGE;
import static svc.platform.problem.ProblemCode.SQL_UNPARSEABLE;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.sqlgate.parser.SourceText;

/** Texts that cannot be read, or that another reader would take for something else. */
class UnreadableScriptsTest {
    /** PostgreSQL finds one statement in each, another parser more. */
    static final String[] MISREAD = {
        "SELECT E'\\'; SET ROLE x; --'",
    };

    @ParameterizedTest
    @FieldSource("MISREAD")
    void refusesWhatAnotherParserCountsDifferently(String sql) {
        Verdict.Rejected rejected = SharedGate.rejection(sql);
        assertThat(rejected.code()).isEqualTo(SQL_UNPARSEABLE);
        assertThat(rejected.what()).contains("another parser");
    }

    /** Where the other parser finds one statement, PostgreSQL two or none. */
    static final String[] SMUGGLED = {
        "SELECT E'\\'' ; SET ROLE b; --'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'; SET ROLE b",
        "SELECT q'{'; SET ROLE b; --}'",
        "SELECT `a; SET ROLE b; --` FROM t",
        "SELECT 1 // ; SET ROLE b",
        "SELECT 1 // \n; SET ROLE b",
    };

    @ParameterizedTest
    @FieldSource("SMUGGLED")
    void refusesWhatAnotherParserOverlooks(String sql) {
        assertThat(SharedGate.judge(sql)).isInstanceOf(Verdict.Rejected.class);
    }

    /** Texts that some readers take for other tokens than PostgreSQL does. */
    static final String[] AMBIGUOUS = {
        "DO LANGUAGE 'plpgsql' -- \n 'BEGIN END'", "DO 'BEGIN PERFORM 1; ' -- \n 'END'", "SELECT $1a",
    };

    @ParameterizedTest
    @FieldSource("AMBIGUOUS")
    void refusesWhatCanBeReadInTwoWays(String sql) {
        Verdict.Rejected rejected = SharedGate.rejection(sql);
        assertThat(rejected.code()).isEqualTo(SQL_UNPARSEABLE);
        assertThat(rejected.place()).isPresent();
    }

    @Test
    void judgesTheBodyThatPostgresqlRunsWhereverItsLinesEnd() {
        String sql = "--\rDO $a$ BEGIN PERFORM pg_read_file('x'); END; /*\n DO $$ BEGIN END $$ -- */ $a$";
        assertThat(SharedGate.rejection(sql).code()).isEqualTo(SQL_FORBIDDEN_OBJECT);
    }

    @Test
    void tellsTheOffsetOfCharactersThatNoTextHas() {
        assertThat(SharedGate.rejection("SELECT 1,\n 'ä\0'").place()).contains(new SourceText.Place(2, 4, 14));
        assertThat(SharedGate.rejection("SELECT '😀\udc00'").place()).contains(new SourceText.Place(1, 10, 10));
    }

    static final String[] UNPARSEABLE = {
        "SELEC 1",
        "SELECT 'open",
        "SELECT $a$ open",
        "/* open",
        "SELECT `a`",
        "GO",
        "SELECT 1 /",
        "SELECT '\0'",
        "SELECT 1" + "+1".repeat(50_000),
        "SELECT 1" + " UNION SELECT 1".repeat(15_000),
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELEC 1'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1 END $$",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (1; END $$",
    };

    @ParameterizedTest
    @FieldSource("UNPARSEABLE")
    void refusesWhatCannotBeRead(String sql) {
        assertThat(SharedGate.rejection(sql).code()).isEqualTo(SQL_UNPARSEABLE);
    }

    @Test
    void refusesMoreThanTheCap() {
        assertThat(SharedGate.rejection("SELECT '" + "ä".repeat(128 * 1024) + "'")
                        .code())
                .isEqualTo(SQL_TOO_LARGE);
    }
}
