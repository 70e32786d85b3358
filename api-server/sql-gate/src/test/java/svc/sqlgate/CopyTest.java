package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_OBJECT;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_STATEMENT;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import svc.platform.budget.SharedPlaces.Caller;
import svc.sqlgate.mapping.OwnFunctions;

/** COPY of a caller that has a way for its rows. */
class CopyTest {
    private static final String OTHER = "proj_00000000000000000000000000000001";

    private static Verdict judge(String sql) {
        return SharedGate.gate()
                .judge(
                        sql,
                        SharedGate.PROJECT,
                        OwnFunctions.NONE,
                        new Caller("organization", "project"),
                        Set.of(ClientStatement.COPY));
    }

    static final String[] ALLOWED = {
        "COPY t FROM STDIN",
        "COPY t (a, b) FROM STDIN WITH (FORMAT csv, HEADER true, DELIMITER ';', NULL '', FORCE_NOT_NULL (a))",
        "COPY public.t TO STDOUT WITH CSV HEADER",
        "COPY t FROM STDIN WITH BINARY",
        "COPY t FROM STDIN WHERE a > 1",
        "COPY (SELECT * FROM t WHERE note = 'COPY t TO PROGRAM ''x''') TO STDOUT",
        "COPY (WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x) TO STDOUT",
        "COPY auth.users (id) FROM STDIN;",
    };

    @ParameterizedTest
    @FieldSource("ALLOWED")
    void admitsWhatFlowsToTheClient(String sql) {
        assertThat(judge(sql)).isInstanceOf(Verdict.Admitted.class);
        assertThat(SharedGate.rejection(sql).code()).isEqualTo(SQL_FORBIDDEN_STATEMENT);
    }

    static final String[] FORBIDDEN_STATEMENTS = {
        "COPY t FROM '/etc/passwd'",
        "COPY t TO '/tmp/x'",
        "COPY t FROM PROGRAM 'sh'",
        "COPY (SELECT 1) TO PROGRAM 'sh'",
        "COPY t FROM STDIN; SELECT 1",
        "SELECT 1; COPY t TO STDOUT",
        "BEGIN; COPY t TO STDOUT; COMMIT",
        "DO $$ BEGIN COPY t TO STDOUT; END $$",
        "DO $$ BEGIN EXECUTE 'COPY t TO STDOUT'; END $$",
        "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'COPY t TO STDOUT'",
        "COPY t TO STDOUT WITH (FORMAT csv, PLACE 'x')",
    };

    @ParameterizedTest
    @FieldSource("FORBIDDEN_STATEMENTS")
    void refusesFilesProgramsAndCompany(String sql) {
        assertThat(judge(sql))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(SQL_FORBIDDEN_STATEMENT));
    }

    static final String[] FORBIDDEN_OBJECTS = {
        "COPY " + OTHER + ".t FROM STDIN",
        "COPY " + OTHER + ".t TO STDOUT",
        "COPY " + OTHER + "_auth.users TO STDOUT",
        "COPY (SELECT * FROM " + OTHER + ".t) TO STDOUT",
        "COPY t FROM STDIN WHERE a = " + OTHER + ".f()",
        "COPY t FROM STDIN WHERE a = pg_read_file('x')",
        "COPY (SELECT pg_read_file('x')) TO STDOUT",
        "COPY (DELETE FROM pg_catalog.pg_proc RETURNING 1) TO STDOUT",
        "COPY pg_catalog.pg_class FROM STDIN",
        "COPY svc_platform.project TO STDOUT",
        "COPY storage.objects FROM STDIN",
        "COPY realtime.messages FROM STDIN",
        "COPY other_database.public.t TO STDOUT",
    };

    @ParameterizedTest
    @FieldSource("FORBIDDEN_OBJECTS")
    void refusesWhatIsNotTheProjects(String sql) {
        assertThat(judge(sql))
                .isInstanceOfSatisfying(
                        Verdict.Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(SQL_FORBIDDEN_OBJECT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COPY public.t (public) TO STDOUT | COPY %s.t (public) TO STDOUT",
                "COPY (SELECT * FROM public.t) TO STDOUT | COPY (SELECT * FROM %s.t) TO STDOUT",
                "COPY storage.buckets TO STDOUT | COPY %s_storage.buckets TO STDOUT",
                "COPY t FROM STDIN WHERE public.f(a) | COPY t FROM STDIN WHERE %s.f(a)",
            })
    void familiarNamesAreTheProjects(String sql, String sent) {
        assertThat(((Verdict.Admitted) judge(sql)).script().text())
                .isEqualTo(sent.formatted(SharedGate.PROJECT.schemaName()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COPY auth.users FROM STDIN | true",
                "COPY auth.users TO STDOUT | false",
                "COPY auth.identities TO STDOUT | true",
            })
    void tellsWhetherTheTablesOfTheAuthServiceAreNeeded(String sql, boolean needed) {
        assertThat(((Verdict.Admitted) judge(sql)).authTables()).isEqualTo(needed);
    }
}
