package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_STATEMENT;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.parser.SourceText;

/** What the gate says of a script beside its verdict: place and remedy, needs, and what it left out. */
class ScriptGateTest {
    private static final ProjectNames PROJECT = SharedGate.PROJECT;
    private static final ScriptGate GATE = SharedGate.gate();

    @Test
    void tellsStatementPlaceAndRemedy() {
        Verdict.Rejected rejected = SharedGate.rejection("SELECT 'ä😀';\n-- next\nSELECT 1,\n  pg_read_file('x')");
        assertThat(rejected)
                .isEqualTo(new Verdict.Rejected(
                        ProblemCode.SQL_FORBIDDEN_OBJECT,
                        2,
                        Optional.of(new SourceText.Place(4, 3, 34)),
                        "the function pg_read_file",
                        "It reads the server's files. Keep files in the project's storage.",
                        new ScriptSummary(
                                List.of("SelectStmt", "SelectStmt"),
                                rejected.summary().fingerprint())));
        assertThat(rejected.summary().fingerprint()).isPresent();
    }

    @Test
    void tellsWhereTheGrammarStops() {
        assertThat(SharedGate.rejection("SELECT 1;\nSELECT 'ä' frm x y").place())
                .contains(new SourceText.Place(2, 16, 26));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM auth.identities",
                "INSERT INTO auth.users (id) VALUES (gen_random_uuid())",
                "WITH gone AS (DELETE FROM auth.users RETURNING id) SELECT * FROM gone",
                "UPDATE ONLY auth.users SET email = 'x'",
                "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'DELETE FROM auth.users WHERE id = auth.uid()'",
                "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE auth.users SET role = 'x'; END $$",
                "CREATE FUNCTION f() RETURNS void BEGIN ATOMIC DELETE FROM auth.users; END",
                "DO $$ BEGIN IF EXISTS (SELECT 1 FROM auth.sessions) THEN NULL; END IF; END $$",
                "CREATE POLICY p ON t USING (EXISTS (SELECT 1 FROM auth.mfa_factors WHERE user_id = auth.uid()))",
            })
    void tellsThatAScriptNeedsTheTablesOfTheAuthService(String sql) {
        assertThat(GATE.judge(sql, PROJECT))
                .isInstanceOfSatisfying(
                        Verdict.Admitted.class,
                        admitted -> assertThat(admitted.authTables()).isTrue());
        assertThat(GATE.judge(sql, ProjectNames.dedicated(PROJECT.projectId())))
                .isInstanceOfSatisfying(
                        Verdict.Admitted.class,
                        admitted -> assertThat(admitted.authTables()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM auth.users",
                "CREATE TABLE profiles (id uuid REFERENCES auth.users)",
                "CREATE TRIGGER t AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION f()",
                "INSERT INTO users SELECT id FROM auth.users",
                "DELETE FROM public.users",
                "SELECT auth.uid(), 'auth.identities'",
            })
    void anIdleProjectNeedsNone(String sql) {
        assertThat(GATE.judge(sql, PROJECT))
                .isInstanceOfSatisfying(
                        Verdict.Admitted.class,
                        admitted -> assertThat(admitted.authTables()).isFalse());
    }

    @Test
    void leavesOutWhatIsSoAlready() {
        String sql = "SELECT 1; NOTIFY pgrst, '😀'; SELECT 2";
        var admitted = (Verdict.Admitted) GATE.judge(sql, PROJECT);
        assertThat(admitted.script().text()).isEqualTo("SELECT 1; DO 'BEGIN END'; SELECT 2");
        assertThat(admitted.tags()).containsOnly(Map.entry(2, "NOTIFY"));
        assertThat(admitted.summary().kinds()).containsExactly("SelectStmt", "NotifyStmt", "SelectStmt");
    }

    static final String[] OUTSIDE = {
        "CREATE INDEX CONCURRENTLY ON t (id)",
        "DROP INDEX CONCURRENTLY IF EXISTS i;",
        "REINDEX TABLE CONCURRENTLY t",
        "REINDEX (CONCURRENTLY) INDEX i",
        "VACUUM (ANALYZE) t",
        "ALTER TABLE t DETACH PARTITION p CONCURRENTLY",
    };

    @ParameterizedTest
    @FieldSource("OUTSIDE")
    void whatCannotRunInATransactionIsAdmittedAlone(String sql) {
        assertThat(((Verdict.Admitted) GATE.judge(sql, PROJECT)).executionMode())
                .isEqualTo(ExecutionMode.OUTSIDE_TRANSACTION);
        for (String among : new String[] {"SELECT 1; " + sql, "DO $$ BEGIN " + sql.replace(";", "") + "; END $$"}) {
            Verdict.Rejected rejected = SharedGate.rejection(among);
            assertThat(rejected.code()).isEqualTo(SQL_FORBIDDEN_STATEMENT);
            assertThat(rejected.hint()).contains("send it alone");
        }
        assertThat(((Verdict.Admitted) GATE.judge("SELECT 1", PROJECT)).executionMode())
                .isEqualTo(ExecutionMode.IN_TRANSACTION);
    }

    @Test
    void conditionsReachThePlatformAsTheyAreWritten() {
        var admitted = (Verdict.Admitted) GATE.judge(
                "SELECT 1; ALTER POLICY \"using (x)\" ON storage.objects /* using (no) */ USING (name = E'\\'(' AND (1 = 1))"
                        + " WITH CHECK ($a$ ) $a$ <> name)",
                PROJECT);
        assertThat(admitted.script().text())
                .isEqualTo(
                        "SELECT 1; CALL svc_statements.write_policy('ALTER', 'objects', 'using (x)', NULL, NULL, NULL,"
                                + "  E'name = E''\\\\''('' AND (1 = 1)', '$a$ ) $a$ <> name')");
        assertThat(admitted.tags()).containsOnly(Map.entry(2, "ALTER POLICY"));
        assertThat(admitted.summary().kinds()).containsExactly("SelectStmt", "AlterPolicyStmt");
    }

    @Test
    void aCommitThatIsLeftOutGivesTheRoleBack() {
        String anon = PROJECT.role(DatabaseRole.ANON).name();
        var admitted = (Verdict.Admitted)
                GATE.judge("BEGIN; SET LOCAL ROLE anon; SELECT 1; COMMIT; BEGIN; SELECT 2; COMMIT", PROJECT);
        assertThat(admitted.script().text())
                .isEqualTo("DO 'BEGIN END'; SET LOCAL ROLE " + anon
                        + "; SELECT 1; RESET ROLE; DO 'BEGIN END'; SELECT 2; RESET ROLE");
        assertThat(admitted.tags().values()).containsOnly("BEGIN", "COMMIT");
        // To the one that was taken for the whole session.
        assertThat(((Verdict.Admitted) GATE.judge(
                                "SET ROLE anon; BEGIN; SELECT set_config('role', 'authenticated', true); COMMIT",
                                PROJECT))
                        .script()
                        .text())
                .endsWith("; SET ROLE \"" + anon + "\"");
        assertThat(((Verdict.Admitted) GATE.judge("BEGIN; SELECT 1; COMMIT", PROJECT))
                        .script()
                        .text())
                .isEqualTo("DO 'BEGIN END'; SELECT 1; DO 'BEGIN END'");
    }

    @Test
    void tellsWhetherAScriptTakesARole() {
        for (String sql : List.of(
                "RESET ROLE",
                "SELECT 1; SET LOCAL ROLE anon",
                "DO $$ BEGIN IF true THEN PERFORM set_config('role', 'anon', true); END IF; END $$")) {
            assertThat(((Verdict.Admitted) GATE.judge(sql, PROJECT)).takesRole())
                    .as(sql)
                    .isTrue();
        }
        assertThat(((Verdict.Admitted) GATE.judge("SELECT set_config('a.role', 'anon', true)", PROJECT)).takesRole())
                .isFalse();
    }
}
