package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_OBJECT;
import static svc.platform.problem.ProblemCode.SQL_FORBIDDEN_STATEMENT;
import static svc.platform.problem.ProblemCode.SQL_TOO_LARGE;
import static svc.platform.problem.ProblemCode.SQL_UNPARSEABLE;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.platform.problem.ProblemCode;
import svc.sqlgate.parser.SourceText;

/** What the gate lets through, what it refuses and what it says then. */
class ScriptGateTest {
    private static final ProjectNames NAMES =
            ProjectNames.shared(UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100"));

    private static final ScriptGate GATE = SharedGate.gate();

    static final String[] ALLOWED = {
        "",
        "-- nothing",
        "SELECT 1",
        "SELECT * FROM pg_catalog.pg_class",
        "CREATE TABLE public.todos (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner uuid REFERENCES auth.users (id))",
        "CREATE TABLE IF NOT EXISTS t (id bigint GENERATED ALWAYS AS IDENTITY, doc jsonb NOT NULL DEFAULT '{}')",
        "ALTER TABLE t ADD COLUMN done boolean NOT NULL DEFAULT false, ALTER COLUMN title DROP NOT NULL",
        "ALTER TABLE t ENABLE ROW LEVEL SECURITY; ALTER TABLE t FORCE ROW LEVEL SECURITY",
        "CREATE POLICY own ON t FOR ALL TO authenticated USING (owner = auth.uid()) WITH CHECK (owner = auth.uid())",
        "DROP POLICY IF EXISTS own ON public.t",
        "CREATE UNIQUE INDEX ON t (lower(title)) WHERE NOT done",
        "CREATE VIEW v WITH (security_invoker = on) AS SELECT * FROM t",
        "CREATE MATERIALIZED VIEW m AS SELECT count(*) FROM t; REFRESH MATERIALIZED VIEW m",
        "CREATE TYPE mood AS ENUM ('sad', 'ok'); ALTER TYPE mood ADD VALUE 'happy'; CREATE DOMAIN d AS text CHECK (value <> '')",
        "CREATE SEQUENCE s OWNED BY t.n; ALTER SEQUENCE s RESTART",
        "INSERT INTO t (title) VALUES ('SET ROLE postgres; COPY t TO PROGRAM ''x''') RETURNING id",
        "WITH x AS (DELETE FROM t WHERE done RETURNING *) INSERT INTO old SELECT * FROM x",
        "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN UPDATE SET title = u.title WHEN NOT MATCHED THEN DO NOTHING",
        "UPDATE t SET done = true; DELETE FROM t WHERE id = '1'; TRUNCATE t",
        "GRANT SELECT, INSERT ON t TO anon, authenticated; REVOKE ALL ON FUNCTION f() FROM PUBLIC",
        "GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO anon",
        "COMMENT ON TABLE t IS 'things'; COMMENT ON COLUMN public.t.title IS 'a title'",
        "EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM t",
        "NOTIFY pgrst, 'reload schema'",
        "CREATE EXTENSION IF NOT EXISTS pgcrypto; CREATE EXTENSION \"uuid-ossp\" WITH SCHEMA extensions",
        "SET statement_timeout = 0; SET client_encoding = 'UTF8'; SET standard_conforming_strings = on",
        "SET client_min_messages = warning; SET check_function_bodies = false; SET LOCAL app.actor = 'x'",
        "SELECT set_config('request.jwt.claims', '{}', true)",
        "SET LOCAL \"request.jwt.claims\" TO '{}'; SET request.jwt.claim.sub = 'x'; SET LOCAL request.jwt.claims = '{}'",
        "SET ROLE anon; SET LOCAL ROLE authenticated; SET SESSION ROLE 'anon'; SET role TO \"authenticated\"; RESET ROLE",
        "SET ROLE postgres; SET LOCAL ROLE none; SET role TO DEFAULT",
        "SELECT set_config('role', 'authenticated', true), set_config('request.jwt.claims', '{}', true)",
        "DO $$ BEGIN SET LOCAL ROLE anon; PERFORM set_config('role', 'postgres', true); RESET ROLE; END $$",
        "CREATE FUNCTION act_as(claims text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN"
                + " PERFORM set_config('role', 'authenticated', true); EXECUTE 'SET LOCAL ROLE anon'; END $$",
        "CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + b'",
        "CREATE FUNCTION add(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE RETURN a + b",
        "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$"
                + " BEGIN new.updated_at := now(); new.note = coalesce(new.note, 'a = b'); RETURN new; END $$;"
                + " CREATE TRIGGER touch BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch()",
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE r t%ROWTYPE; n int[] := '{}';"
                + " BEGIN n[1] := 2; r.title := 'x'; FOR r IN SELECT * FROM t LOOP PERFORM r.id; END LOOP;"
                + " IF n[1] = 2 THEN RAISE NOTICE 'n %', n; END IF;"
                + " EXECUTE format('ALTER TABLE %I ADD COLUMN x int', 't'); EXCEPTION WHEN OTHERS THEN NULL; END $$",
        "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_type WHERE typname = 'mood') THEN"
                + " CREATE TYPE mood AS ENUM ('ok'); END IF; END $$",
        "CREATE PROCEDURE p() LANGUAGE sql AS 'UPDATE t SET done = true'; CALL p()",
        "CREATE AGGREGATE total(int) (sfunc = int4pl, stype = int, initcond = '0')",
        "ALTER FUNCTION f() SET search_path = ''; ALTER TABLE t RENAME COLUMN title TO name",
        "DROP TABLE IF EXISTS a, b CASCADE; DROP FUNCTION f(int); DROP TYPE mood; DROP TRIGGER touch ON public.t",
        "ANALYZE t; REINDEX TABLE t; LOCK TABLE t IN EXCLUSIVE MODE; SHOW search_path; SET CONSTRAINTS ALL DEFERRED",
        "CREATE TEMP TABLE t (id int) ON COMMIT DROP; CREATE TEMPORARY TABLE u AS SELECT 1 AS id; SELECT 1 AS id INTO TEMP v",
        "CREATE TEMP SEQUENCE s; CREATE TEMP VIEW w AS SELECT * FROM pg_temp.t; INSERT INTO pg_temp.t VALUES (1); DROP TABLE pg_temp.t",
        "REFRESH MATERIALIZED VIEW CONCURRENTLY public.m",
        "SELECT E'\\' SET ROLE x --'",
        "SELECT $tag$ $x$; COMMIT; $x$ $tag$, U&'\\0041', \"select\" FROM (SELECT 1 AS \"select\") q /* ; COMMIT */",
    };

    @ParameterizedTest
    @FieldSource("ALLOWED")
    void admits(String sql) {
        assertThat(GATE.judge(sql, NAMES)).isInstanceOf(Verdict.Admitted.class);
    }

    static final String[] FORBIDDEN_STATEMENTS = {
        "SET ROLE service_role",
        "SET LOCAL ROLE authenticator",
        "SET ROLE supabase_auth_admin",
        "SET ROLE proj_00000000000000000000000000000000_anon",
        "SET ROLE pg_read_all_data",
        "SET ROLE \"NONE\"",
        "SET ROLE FROM CURRENT",
        "SET SESSION AUTHORIZATION postgres",
        "RESET SESSION AUTHORIZATION",
        "RESET ALL",
        "DISCARD ALL",
        "SET session_replication_role = replica",
        "SET standard_conforming_strings = off",
        "SET backslash_quote = on",
        "SET client_encoding = 'SJIS'",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "SELECT set_config('role', 'service_role', false)",
        "SELECT set_config('role', lower('anon'), false)",
        "SELECT set_config('session_authorization', 'anon', false)",
        "SELECT set_config('ro' || 'le', 'x', false)",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT a",
        "SELECT 1; COMMIT AND CHAIN; SELECT 2",
        "SELECT '\\'; COMMIT; --'",
        "PREPARE TRANSACTION 'x'",
        "COPY t FROM '/etc/passwd'",
        "COPY t TO PROGRAM 'sh'",
        "COPY t FROM STDIN",
        "COPY (SELECT 1) TO STDOUT",
        "CREATE ROLE x LOGIN",
        "CREATE USER x",
        "ALTER ROLE x PASSWORD 'x'",
        "ALTER ROLE ALL SET work_mem = '1GB'",
        "DROP ROLE x",
        "GRANT postgres TO anon",
        "DROP OWNED BY anon",
        "REASSIGN OWNED BY anon TO postgres",
        "CREATE SCHEMA public",
        "DROP SCHEMA public CASCADE",
        "ALTER SCHEMA public RENAME TO x",
        "GRANT CREATE ON SCHEMA public TO anon",
        "CREATE DATABASE x",
        "DROP DATABASE x",
        "ALTER DATABASE x SET work_mem = '1GB'",
        "GRANT CONNECT ON DATABASE x TO anon",
        "ALTER SYSTEM SET fsync = off",
        "CREATE TABLESPACE x LOCATION '/x'",
        "CREATE TABLE t (id int) TABLESPACE x",
        "CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw",
        "CREATE FOREIGN TABLE t (id int) SERVER s",
        "IMPORT FOREIGN SCHEMA x FROM SERVER s INTO public",
        "CREATE USER MAPPING FOR CURRENT_USER SERVER s",
        "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p",
        "CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION f()",
        "CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'x', 'y'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpython3u AS 'return 1'",
        "DO LANGUAGE plperl 'x'",
        "LOAD 'auto_explain'",
        "LISTEN x",
        "UNLISTEN *",
        "NOTIFY other, 'x'",
        "CHECKPOINT",
        "VACUUM",
        "VACUUM t; SELECT 1",
        "CREATE INDEX CONCURRENTLY ON t (id); SELECT 1",
        "DROP INDEX CONCURRENTLY i; SELECT 1",
        "REINDEX DATABASE x",
        "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
        "PREPARE p AS SELECT 1",
        "EXPLAIN ANALYZE EXECUTE p",
        "SECURITY LABEL ON TABLE t IS 'x'",
        "CREATE CAST (text AS int) WITH INOUT",
        "CREATE OPERATOR === (leftarg = int, rightarg = int, function = int4eq)",
        "CREATE RULE r AS ON SELECT TO t DO INSTEAD SELECT 1",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET role = postgres AS 'SELECT 1'",
        "ALTER FUNCTION f() SET role = anon",
        "ALTER FUNCTION f() SET session_authorization = postgres",
        "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'SET ROLE x'",
        "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN SET LOCAL ROLE x; END $$",
        "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$",
        "DO $$ BEGIN ROLLBACK; END $$",
        "DO $$ BEGIN EXECUTE 'SET ROLE x'; END $$",
        "DO $$ BEGIN PERFORM set_config('role', 'x', true); END $$",
        "DO $$ BEGIN EXECUTE 'DO ''BEGIN COMMIT; END'''; END $$",
        "DO $$ BEGIN COPY t TO '/tmp/x'; END $$",
    };

    @ParameterizedTest
    @FieldSource("FORBIDDEN_STATEMENTS")
    void refusesTheStatement(String sql) {
        assertThat(rejection(sql).code()).isEqualTo(SQL_FORBIDDEN_STATEMENT);
    }

    static final String[] FORBIDDEN_OBJECTS = {
        "SELECT * FROM proj_00000000000000000000000000000001.t",
        "SELECT proj_00000000000000000000000000000001.f()",
        "SELECT NULL::proj_00000000000000000000000000000001.t",
        "SELECT * FROM svc_platform.project",
        "SET search_path = public, pg_toast",
        "SET search_path = proj_00000000000000000000000000000001",
        "SELECT * FROM svc_guard.setting",
        "SELECT * FROM other_database.public.t",
        "SELECT * FROM pg_temp_3.t",
        "INSERT INTO pg_temp_3.t VALUES (1)",
        "DROP TABLE pg_toast_temp_3.t",
        "CREATE TABLE proj_00000000000000000000000000000001.t (id int)",
        "DROP TABLE proj_00000000000000000000000000000001.t",
        "DROP POLICY p ON proj_00000000000000000000000000000001.t",
        "COMMENT ON TABLE proj_00000000000000000000000000000001.t IS 'x'",
        "ALTER TABLE t SET SCHEMA pg_catalog",
        "CREATE POLICY p ON t TO proj_00000000000000000000000000000001_anon USING (true)",
        "GRANT SELECT ON t TO pg_monitor",
        "GRANT SELECT ON ALL TABLES IN SCHEMA pg_catalog TO anon",
        "ALTER DEFAULT PRIVILEGES FOR ROLE other GRANT SELECT ON TABLES TO anon",
        "UPDATE pg_catalog.pg_class SET relname = 'x'",
        "DELETE FROM pg_authid",
        "WITH x AS (DELETE FROM pg_catalog.pg_proc RETURNING 1) SELECT * FROM x",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_catalog.pg_read_binary_file('x')",
        "SELECT * FROM pg_ls_dir('.')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_export(1, '/x')",
        "SELECT * FROM dblink('host=x', 'SELECT 1') AS t (id int)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock(1)",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_cancel_backend(1)",
        "SELECT pg_reload_conf()",
        "SELECT pg_logical_emit_message(true, 'a', 'b')",
        "SELECT pg_create_logical_replication_slot('x', 'pgoutput')",
        "SELECT pg_notify('other', 'x')",
        "CREATE PUBLICATION p FOR ALL TABLES",
        "SELECT query_to_xml('SET ROLE x', true, true, '')",
        "CREATE EXTENSION postgres_fdw",
        "CREATE EXTENSION plpython3u",
        // Read by the grammar as CREATE EXTENSION since PostgreSQL 13.
        "CREATE LANGUAGE plperl",
        "SELECT 1 ORDER BY 1 USING OPERATOR(proj_00000000000000000000000000000001.<)",
        "CREATE AGGREGATE a(text) (sfunc = pg_read_file, stype = text)",
        "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION proj_00000000000000000000000000000001.f()",
        "CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN pg_read_file('x'); END $$",
        "CREATE FUNCTION f() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT pg_read_file('x'); END",
        "DO $$ DECLARE a text := pg_read_file('x'); BEGIN END $$",
        "DO $$ DECLARE a int[]; BEGIN a[length(pg_read_file('x'))] := 1; END $$",
        "SELECT 1 OPERATOR(proj_00000000000000000000000000000001.+) 2",
    };

    @ParameterizedTest
    @FieldSource("FORBIDDEN_OBJECTS")
    void refusesTheObject(String sql) {
        assertThat(rejection(sql).code()).isEqualTo(SQL_FORBIDDEN_OBJECT);
    }

    /** PostgreSQL finds one statement in each, another parser more. */
    static final String[] MISREAD = {
        "SELECT E'\\'; SET ROLE x; --'",
    };

    @ParameterizedTest
    @FieldSource("MISREAD")
    void refusesWhatAnotherParserCountsDifferently(String sql) {
        Verdict.Rejected rejected = rejection(sql);
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
        assertThat(GATE.judge(sql, NAMES)).isInstanceOf(Verdict.Rejected.class);
    }

    /** Texts that some readers take for other tokens than PostgreSQL does. */
    static final String[] AMBIGUOUS = {
        "DO LANGUAGE 'plpgsql' -- \n 'BEGIN END'", "DO 'BEGIN PERFORM 1; ' -- \n 'END'", "SELECT $1a",
    };

    @ParameterizedTest
    @FieldSource("AMBIGUOUS")
    void refusesWhatCanBeReadInTwoWays(String sql) {
        Verdict.Rejected rejected = rejection(sql);
        assertThat(rejected.code()).isEqualTo(SQL_UNPARSEABLE);
        assertThat(rejected.place()).isPresent();
    }

    @Test
    void judgesTheBodyThatPostgresqlRunsWhereverItsLinesEnd() {
        String sql = "--\rDO $a$ BEGIN PERFORM pg_read_file('x'); END; /*\n DO $$ BEGIN END $$ -- */ $a$";
        assertThat(rejection(sql).code()).isEqualTo(SQL_FORBIDDEN_OBJECT);
    }

    @Test
    void tellsTheOffsetOfCharactersThatNoTextHas() {
        assertThat(rejection("SELECT 1,\n 'ä\0'").place()).contains(new SourceText.Place(2, 4, 14));
        assertThat(rejection("SELECT '😀\udc00'").place()).contains(new SourceText.Place(1, 10, 10));
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
        assertThat(rejection(sql).code()).isEqualTo(SQL_UNPARSEABLE);
    }

    @Test
    void refusesMoreThanTheCap() {
        assertThat(rejection("SELECT '" + "ä".repeat(128 * 1024) + "'").code()).isEqualTo(SQL_TOO_LARGE);
    }

    @Test
    void tellsStatementPlaceAndRemedy() {
        Verdict.Rejected rejected = rejection("SELECT 'ä😀';\n-- next\nSELECT 1,\n  pg_read_file('x')");
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
        assertThat(rejection("SELECT 1;\nSELECT 'ä' frm x y").place()).contains(new SourceText.Place(2, 16, 26));
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
        assertThat(GATE.judge(sql, NAMES))
                .isInstanceOfSatisfying(
                        Verdict.Admitted.class,
                        admitted -> assertThat(admitted.authTables()).isTrue());
        assertThat(GATE.judge(sql, ProjectNames.dedicated(NAMES.projectId())))
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
        assertThat(GATE.judge(sql, NAMES))
                .isInstanceOfSatisfying(
                        Verdict.Admitted.class,
                        admitted -> assertThat(admitted.authTables()).isFalse());
    }

    @Test
    void leavesOutWhatIsSoAlready() {
        String sql = "SELECT 1; NOTIFY pgrst, '😀'; SELECT 2";
        var admitted = (Verdict.Admitted) GATE.judge(sql, NAMES);
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
        assertThat(((Verdict.Admitted) GATE.judge(sql, NAMES)).executionMode())
                .isEqualTo(ExecutionMode.OUTSIDE_TRANSACTION);
        for (String among : new String[] {"SELECT 1; " + sql, "DO $$ BEGIN " + sql.replace(";", "") + "; END $$"}) {
            Verdict.Rejected rejected = rejection(among);
            assertThat(rejected.code()).isEqualTo(SQL_FORBIDDEN_STATEMENT);
            assertThat(rejected.hint()).contains("send it alone");
        }
        assertThat(((Verdict.Admitted) GATE.judge("SELECT 1", NAMES)).executionMode())
                .isEqualTo(ExecutionMode.IN_TRANSACTION);
    }

    @Test
    void conditionsReachThePlatformAsTheyAreWritten() {
        var admitted = (Verdict.Admitted) GATE.judge(
                "SELECT 1; ALTER POLICY \"using (x)\" ON storage.objects /* using (no) */ USING (name = E'\\'(' AND (1 = 1))"
                        + " WITH CHECK ($a$ ) $a$ <> name)",
                NAMES);
        assertThat(admitted.script().text())
                .isEqualTo(
                        "SELECT 1; CALL svc_statements.write_policy('ALTER', 'objects', 'using (x)', NULL, NULL, NULL,"
                                + "  E'name = E''\\\\''('' AND (1 = 1)', '$a$ ) $a$ <> name')");
        assertThat(admitted.tags()).containsOnly(Map.entry(2, "ALTER POLICY"));
        assertThat(admitted.summary().kinds()).containsExactly("SelectStmt", "AlterPolicyStmt");
    }

    @Test
    void aCommitThatIsLeftOutGivesTheRoleBack() {
        String anon = NAMES.role(DatabaseRole.ANON).name();
        var admitted = (Verdict.Admitted)
                GATE.judge("BEGIN; SET LOCAL ROLE anon; SELECT 1; COMMIT; BEGIN; SELECT 2; COMMIT", NAMES);
        assertThat(admitted.script().text())
                .isEqualTo("DO 'BEGIN END'; SET LOCAL ROLE " + anon
                        + "; SELECT 1; RESET ROLE; DO 'BEGIN END'; SELECT 2; RESET ROLE");
        assertThat(admitted.tags().values()).containsOnly("BEGIN", "COMMIT");
        // To the one that was taken for the whole session.
        assertThat(((Verdict.Admitted) GATE.judge(
                                "SET ROLE anon; BEGIN; SELECT set_config('role', 'authenticated', true); COMMIT",
                                NAMES))
                        .script()
                        .text())
                .endsWith("; SET ROLE \"" + anon + "\"");
        assertThat(((Verdict.Admitted) GATE.judge("BEGIN; SELECT 1; COMMIT", NAMES))
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
            assertThat(((Verdict.Admitted) GATE.judge(sql, NAMES)).takesRole())
                    .as(sql)
                    .isTrue();
        }
        assertThat(((Verdict.Admitted) GATE.judge("SELECT set_config('a.role', 'anon', true)", NAMES)).takesRole())
                .isFalse();
    }

    private static Verdict.Rejected rejection(String sql) {
        return (Verdict.Rejected) GATE.judge(sql, NAMES);
    }
}
