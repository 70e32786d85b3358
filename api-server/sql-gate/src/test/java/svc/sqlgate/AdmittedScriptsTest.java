package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Scripts of ordinary migrations, which pass. */
class AdmittedScriptsTest {
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
        "CREATE TABLE t (a int) TABLESPACE pg_default; CREATE INDEX i ON t (a) TABLESPACE pg_default; RESET ALL",
        "ALTER PUBLICATION supabase_realtime OWNER TO postgres; REVOKE CREATE ON SCHEMA public FROM anon, PUBLIC",
        "REVOKE ALL ON DATABASE postgres FROM PUBLIC, anon; GRANT CONNECT ON DATABASE postgres TO authenticated",
        "SELECT pg_advisory_lock(1), pg_try_advisory_xact_lock(1, 2), pg_catalog.pg_advisory_unlock_all()",
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
        assertThat(SharedGate.judge(sql)).isInstanceOf(Verdict.Admitted.class);
    }
}
