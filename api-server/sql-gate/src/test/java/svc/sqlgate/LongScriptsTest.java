package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.lexical.ScriptParts;

/** A script of more than one part gets the verdict that it would get if it were read at once. */
class LongScriptsTest {
    private static final int STATEMENTS = 8_000;

    /** Statements of 400 KB. */
    private static String filling() {
        return "INSERT INTO public.t VALUES ('it''s ; not an end');\n".repeat(STATEMENTS);
    }

    private static Verdict.Admitted admitted(String sql) {
        Verdict verdict = SharedGate.judge(sql);
        assertThat(verdict).isInstanceOf(Verdict.Admitted.class);
        return (Verdict.Admitted) verdict;
    }

    @Test
    void isSentAsOneTextWithTheProjectsNames() {
        String sql = filling() + "NOTIFY pgrst;\nCREATE FUNCTION public.f() RETURNS int LANGUAGE sql BEGIN ATOMIC"
                + " SELECT CASE WHEN true THEN 1 END; SELECT 2; END;\n-- end of all\n";
        Verdict.Admitted admitted = admitted(sql);
        String schema = SharedGate.PROJECT.schemaName();
        assertThat(admitted.script().original()).isEqualTo(sql);
        assertThat(admitted.script().text())
                .isEqualTo(sql.replace("public.", schema + ".").replace("NOTIFY pgrst", "DO 'BEGIN END'"));
        assertThat(admitted.starts()).hasSize(STATEMENTS + 2);
        assertThat(admitted.summary().kinds())
                .as("a thousand of a kind")
                .hasSize(1002)
                .endsWith("NotifyStmt", "CreateFunctionStmt");
        assertThat(admitted.summary().fingerprint().orElseThrow()).hasSize(16);
        assertThat(admitted.tags()).containsOnlyKeys(STATEMENTS + 1);
        assertThat(admitted.placeOfStatement(STATEMENTS + 2).orElseThrow().line())
                .isEqualTo(STATEMENTS + 2);
        assertThat(ScriptParts.of(sql).size()).isGreaterThan(2);
    }

    @Test
    void whatIsRefusedIsAtItsPlaceInTheWhole() {
        Verdict.Rejected rejected = SharedGate.rejection(filling() + "  CREATE ROLE x;\n" + filling());
        assertThat(rejected.code()).isEqualTo(ProblemCode.SQL_FORBIDDEN_STATEMENT);
        assertThat(rejected.statement()).isEqualTo(STATEMENTS + 1);
        assertThat(rejected.place().orElseThrow().line()).isEqualTo(STATEMENTS + 1);
        assertThat(rejected.place().orElseThrow().column()).isEqualTo(3);
        Verdict.Rejected other = SharedGate.rejection(filling() + "SELECT 1 FROM svc_guard.t");
        assertThat(other.what()).doesNotContain("proj_");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BEGIN;|COMMIT;|",
                "BEGIN; COMMIT;|BEGIN; COMMIT;|",
                "SET ROLE anon; RESET ROLE;|SELECT 1;|",
                "BEGIN;||transaction control",
                "|COMMIT;|transaction control",
                "BEGIN;|BEGIN; COMMIT;|transaction control",
                "BEGIN; COMMIT; ROLLBACK;||transaction control",
                "CREATE INDEX CONCURRENTLY i ON t (w);||CREATE INDEX CONCURRENTLY together with other statements",
                "|VACUUM t;|VACUUM together with other statements",
                "|GRANT SELECT ON t TO PUBLIC; SELECT pg_notify('x', 'y')|pg_notify",
            })
    void statementsFarFromEachOtherAreJudgedTogether(String before, String behind, String refused) {
        String sql = (before == null ? "" : before) + "\n" + filling() + (behind == null ? "" : behind);
        Verdict verdict = SharedGate.judge(sql);
        if (refused == null) {
            assertThat(verdict).isInstanceOf(Verdict.Admitted.class);
        } else {
            assertThat(verdict)
                    .isInstanceOfSatisfying(
                            Verdict.Rejected.class,
                            rejected -> assertThat(rejected.what()).contains(refused));
        }
    }

    /** BEGIN is left out, so its COMMIT gives back a role that SET LOCAL took in another part. */
    @Test
    void aRoleOfAnEarlierPartIsGivenBack() {
        Verdict.Admitted admitted = admitted("BEGIN; SET LOCAL ROLE anon;\n" + filling() + "COMMIT; SELECT 1");
        assertThat(admitted.takesRole()).isTrue();
        assertThat(admitted.script().text()).contains("RESET ROLE; SELECT 1");
    }

    /** A part ends behind 128 KB: with any of these across that place the text is what it would be if it were short. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DO $$ BEGIN PERFORM 1; PERFORM count(*) FROM public.t; END $$;",
                "CREATE FUNCTION public.f() RETURNS text LANGUAGE plpgsql AS $tag$ BEGIN RETURN $$;$$; END; $tag$;",
                "SELECT 'a''; b' FROM public.t;",
                "SELECT 1 /* ; /* ; */ public.u; */ FROM public.t;",
                "SELECT 1 -- ; public.u;\n FROM public.t;",
                "SELECT \"a;b\" FROM public.t;",
                "SELECT (SELECT 1) FROM public.t; SELECT U&'d\\0061;' FROM public.t;",
            })
    void nothingIsCutInTheMiddle(String statement) {
        String alone = admitted(statement).script().text();
        String line = "SELECT 1;\n";
        String before = line.repeat((ScriptParts.MAX_BYTES / 2 - statement.length()) / line.length());
        String behind = line.repeat(ScriptParts.MAX_BYTES / 2 / line.length() + 1);
        for (int shift = 0; shift <= statement.length(); shift += statement.length() / 3) {
            String blanks = " ".repeat(shift + line.length());
            Verdict.Admitted whole = admitted(before + blanks + statement + "\n" + behind);
            assertThat(whole.script().text()).startsWith(before + blanks + alone + "\n");
        }
    }

    @Test
    void whatDoesNotEndOrIsTooLongIsRefused() {
        assertThat(SharedGate.rejection(filling() + "SELECT 'open").code()).isEqualTo(ProblemCode.SQL_UNPARSEABLE);
        assertThat(SharedGate.rejection(filling() + "/* open").code()).isEqualTo(ProblemCode.SQL_UNPARSEABLE);
        Verdict.Rejected statement = SharedGate.rejection(filling() + "SELECT '" + "x".repeat(300_000) + "'");
        assertThat(statement.code()).isEqualTo(ProblemCode.SQL_TOO_LARGE);
        assertThat(statement.statement()).isEqualTo(STATEMENTS + 1);
        assertThat(SharedGate.rejection(filling().repeat(6)).code()).isEqualTo(ProblemCode.SQL_TOO_LARGE);
    }
}
