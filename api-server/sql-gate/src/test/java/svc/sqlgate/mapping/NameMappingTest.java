package svc.sqlgate.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.sqlgate.mapping.MarkedScript.GATE;
import static svc.sqlgate.mapping.MarkedScript.ID;
import static svc.sqlgate.mapping.MarkedScript.SCHEMA;
import static svc.sqlgate.mapping.MarkedScript.mapped;
import static svc.sqlgate.mapping.MarkedScript.replaces;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.name.ProjectNames;
import svc.sqlgate.Verdict;
import svc.sqlgate.parser.SourceText;

/** What is replaced in a script and what is not: in each {@link MarkedScript} the marked names are. */
class NameMappingTest {
    static final String[] STATEMENTS = {
        "CREATE TABLE ‹public›.t (a ‹ext:public›.vector(3), b ‹ext:public›.citext[], c ‹public›.mood, id uuid DEFAULT ‹ext:public›.uuid_generate_v4())",
        "CREATE INDEX ON ‹public›.t USING gin (b ‹ext:public›.gin_trgm_ops, c ‹public›.ops); SELECT a::‹ext:public›.hstore FROM ‹public›.citext",
        "CREATE FUNCTION ‹public›.uuid_generate_v4(a ‹ext:public›.ltree) RETURNS int LANGUAGE sql AS 'SELECT ‹ext:public›.crypt($1)'",
        "CREATE TRIGGER t BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION ‹ext:public›.moddatetime(a); DROP TABLE ‹public›.vector",
        "DO $$ DECLARE v ‹ext:public›.vector(3); w ‹public›.mood; x ‹public›.vector%ROWTYPE; BEGIN v := '[1]'::‹ext:public›.vector; END $$",
        "SELECT t.id, ‹public›.todos.title, ‹public›.todos.* FROM ‹public›.todos, ‹auth›.users AS t WHERE public.x",
        "SELECT public.id FROM todos AS public; SELECT (public).x FROM t AS public; SELECT a.public.b FROM t",
        "INSERT INTO ‹public›.t AS public (public, auth.x) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET auth = public.x",
        "UPDATE ONLY ‹public›.t SET public = 1, auth.x = 2 FROM ‹auth›.users u WHERE ‹public›.t.id = u.id",
        "DELETE FROM ‹public›.t USING ‹storage›.objects o WHERE ‹public›.t.id = o.id RETURNING ‹public›.t.*",
        "SELECT ‹svc:storage›.foldername(name), ‹svc:storage›.filename(a), ‹svc:storage›.extension(b), ‹svc:realtime›.topic()",
        "SELECT 1 FROM ‹storage›.objects WHERE ‹svc:storage›.operation() = 'x' AND ‹storage›.operations()",
        "SELECT ‹auth›.uids(), ‹auth›.foldername(a), \"‹auth›\".f(), uid(), ‹public›.uid(), ‹svc:auth›.uid ( )",
        "GRANT EXECUTE ON FUNCTION ‹svc:auth›.uid() TO ‹anon›; SELECT '‹svc:auth›.uid()'::regprocedure, '‹auth›.users'::regclass",
        "SELECT ‹svc:auth›.uid(), ‹public›.f(‹public›.g(1)), x::‹public›.mood, CAST(y AS ‹public›.mood[]), auth FROM f(1)",
        "SELECT * FROM \"‹public›\".\"Todos\" JOIN \"Public\" p ON true",
        "SELECT 'äöü😀' AS \"ß😀\", /* ; public.x */ a FROM ‹public› /* x */ -- public.\n . t",
        "SELECT 1 OPERATOR(‹public›.===) 2 ORDER BY 1 USING OPERATOR(‹public›.<)",
        "SELECT a COLLATE ‹public›.c FROM ‹public›.t FOR UPDATE OF t",
        "SELECT extract(epoch FROM now()), x AT TIME ZONE 'public', 'public.t', 'anon', $$public.t$$ FROM t",
        "CREATE TABLE ‹public›.t (LIKE ‹public›.u, id ‹public›.d PRIMARY KEY REFERENCES ‹auth›.users (id),"
                + " public text DEFAULT 'public.x', CHECK (public.f IS NULL), s regclass DEFAULT '‹public›.t'::regclass)",
        "CREATE TABLE t PARTITION OF ‹public›.p FOR VALUES IN ('public'); ALTER TABLE ‹public›.p ATTACH PARTITION ‹public›.t DEFAULT",
        "CREATE INDEX public ON ‹public›.t USING gin (public ‹public›.ops, lower(auth) COLLATE ‹public›.c)",
        "ALTER TABLE ‹public›.t ADD CONSTRAINT public FOREIGN KEY (a) REFERENCES ‹auth›.users (id),"
                + " ADD EXCLUDE USING gist (a WITH ‹public›.&&)",
        "ALTER TABLE t SET SCHEMA ‹public›; ALTER TYPE ‹public›.mood ADD VALUE 'public'; ALTER TYPE ‹public›.mood RENAME TO public",
        "CREATE TYPE ‹public›.mood AS ENUM ('public.x', 'anon'); CREATE DOMAIN ‹public›.d AS ‹public›.mood CHECK (value <> 'public')",
        "CREATE TYPE ‹public›.pair AS (a ‹public›.mood, auth text); CREATE TYPE ‹public›.r AS RANGE (subtype = ‹public›.d)",
        "ALTER DOMAIN ‹public›.d DROP CONSTRAINT public; COMMENT ON CONSTRAINT c ON DOMAIN ‹public›.d IS 'public.d'",
        "CREATE SEQUENCE ‹public›.s OWNED BY ‹public›.t.id; ALTER SEQUENCE s OWNED BY public.id",
        "CREATE TRIGGER public BEFORE INSERT ON ‹public›.t FOR EACH ROW WHEN (new.public IS NULL)"
                + " EXECUTE FUNCTION ‹public›.t('public.t')",
        "DROP TABLE IF EXISTS ‹public›.a, public, ‹public›.b; DROP TRIGGER public ON ‹public›.t; DROP POLICY public ON public",
        "DROP FUNCTION ‹public›.f(‹public›.t, int), public; DROP TYPE ‹public›.mood; DROP INDEX ‹public›.i",
        "COMMENT ON COLUMN ‹public›.t.c IS 'public.t'; COMMENT ON COLUMN public.c IS 'x'; COMMENT ON FUNCTION ‹public›.f(‹public›.t) IS ''",
        "COMMENT ON TABLE ‹public›.t IS 'x'; COMMENT ON TYPE ‹public›.m IS 'x'; COMMENT ON POLICY p ON ‹public›.t IS 'x'",
        "GRANT SELECT (public), INSERT ON ‹public›.t, public TO ‹anon›, \"‹authenticated›\", PUBLIC, ‹service_role›, ‹postgres›",
        "GRANT EXECUTE ON FUNCTION ‹public›.f(‹public›.t) TO ‹authenticated›; GRANT USAGE ON TYPE ‹public›.m TO ‹anon›",
        "GRANT SELECT ON ALL TABLES IN SCHEMA ‹public›, ‹public› TO ‹anon›; REVOKE ALL ON ALL ROUTINES IN SCHEMA ‹public› FROM ‹anon›",
        "ALTER DEFAULT PRIVILEGES FOR ROLE ‹postgres› IN SCHEMA ‹public› GRANT ALL ON TABLES TO ‹anon›, ‹supabase_auth_admin›",
        "CREATE POLICY anon ON ‹public›.t TO ‹authenticated›, ‹anon› USING (auth.x = ‹svc:auth›.uid() AND ‹svc:auth›.role() = 'authenticated')",
        "ALTER POLICY p ON ‹public›.t TO ‹service_role›; CREATE VIEW ‹public›.v AS SELECT * FROM ‹public›.t",
        "SET ROLE ‹anon›; SET LOCAL ROLE '‹authenticated›'; SET role TO \"‹postgres›\"; SET a.role = anon; RESET ROLE",
        "SELECT set_config('role', '‹anon›', true), pg_catalog.set_config('ROLE', '‹authenticated›', false),"
                + " set_config('a.role', 'anon', true)",
        "SET public.x = 'public.y'; SHOW search_path; CREATE STATISTICS ‹public›.st ON a, b FROM ‹public›.t",
        "CREATE AGGREGATE ‹public›.total(‹public›.d) (sfunc = ‹public›.f, stype = ‹public›.d, sortop = OPERATOR(‹public›.<))",
        "CREATE MATERIALIZED VIEW ‹public›.m AS SELECT 1; REFRESH MATERIALIZED VIEW ‹public›.m; LOCK TABLE ‹public›.t; TRUNCATE ‹public›.t",
        "CALL ‹public›.p('public.t'); SET CONSTRAINTS ‹public›.c DEFERRED; ANALYZE ‹public›.t; REINDEX TABLE ‹public›.t",
        "MERGE INTO ‹public›.t USING ‹public›.u AS public ON public.id = t.id WHEN MATCHED THEN UPDATE SET a = public.a",
        "WITH public AS (SELECT * FROM ‹public›.t) SELECT public.a, (SELECT max(x) FROM ‹public›.u) FROM public",
        "EXPLAIN SELECT ‹public›.f(); CREATE TABLE x AS SELECT * FROM ‹public›.t; SELECT * INTO ‹public›.n FROM ‹public›.t",
        "SELECT * FROM ‹public›.f() AS public(a ‹public›.mood), LATERAL ‹public›.g(public.a)",
        "CREATE FUNCTION f(a ‹public›.t DEFAULT public.x, b ‹auth›.users.id%TYPE, c public.id%TYPE)"
                + " RETURNS TABLE (public ‹public›.mood) LANGUAGE sql BEGIN ATOMIC SELECT public.x FROM ‹public›.t AS public; END",
        "SELECT relname FROM ‹pg_catalog›.pg_class, ‹information_schema›.tables WHERE ‹pg_catalog›.pg_class.oid = 1",
        "SELECT pg_catalog.now(), ‹pg_catalog›.pg_get_functiondef(1), 1::pg_catalog.int4, pg_catalog.x.y FROM pg_catalog.x",
    };

    @ParameterizedTest
    @FieldSource("STATEMENTS")
    void replacesNamesOfStatements(String marked) {
        replaces(marked);
    }

    static final String[] CONSTANTS = {
        "SELECT 1 FROM ‹pg_catalog›.pg_class c LEFT JOIN ‹pg_catalog›.pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname OPERATOR(pg_catalog.~) '^(‹public›)$' COLLATE pg_catalog.default"
                + " AND c.relname OPERATOR(pg_catalog.~) '^(public)$' COLLATE pg_catalog.default",
        "SELECT 1 FROM pg_roles WHERE rolname ~ '^(‹anon›)$' OR rolname !~ '^(‹authenticated›)$' OR rolname ~ '^anon'",
        "SELECT '‹public›.t'::regclass, CAST(E'\"‹public›\".\"T''s\"' AS regclass), regclass '‹public›.t', $a$‹public›.t$a$::regclass::oid",
        "SELECT 'publ'\n 'ic.t'::text, '‹public›.f(‹public›.mood, int)'::regprocedure, 'public'::regclass, '‹a›.public'::regclass",
        "SELECT 'pg_class'::regclass, '‹pg_catalog›.pg_class'::regclass, 'pg_catalog.x'::regclass, 'pg_catalog.int4'::regtype",
        "SELECT '‹public›'::regnamespace, '\"‹anon›\"'::regrole, 'anon'::regtype, ARRAY['‹public›.a', 'b']::regclass[]",
        "SELECT nextval('‹public›.s'), setval('‹public›.s', 1), currval('\"‹public›\".s'), to_regclass('‹auth›.users')",
        "SELECT to_regnamespace('‹public›'), to_regrole('‹anon›'), to_regtype('‹public›.mood'), to_regprocedure('‹public›.f(‹public›.t)')",
        "SELECT has_table_privilege('‹anon›', '‹public›.t', 'select'), has_table_privilege('‹public›.t', 'select')",
        "SELECT has_schema_privilege('‹anon›', '‹public›', 'usage'), has_schema_privilege('‹public›', 'usage')",
        "SELECT has_column_privilege('‹anon›', '‹public›.t', 'public', 'select'), has_function_privilege('‹anon›', '‹public›.f()', 'execute')",
        "SELECT pg_has_role('‹anon›', 'member'), pg_has_role('‹anon›', '‹postgres›', 'member')",
        "SELECT pg_get_serial_sequence('‹public›.t', 'public'), pg_relation_size('‹public›.t'), pg_total_relation_size('‹public›.t')",
        "SELECT f('public.t'), public_x('anon'), ‹public›.nextval('public.s'), format('%I', 'public')",
        "SELECT * FROM ‹information_schema›.tables t WHERE t.table_schema = '‹public›' AND '‹auth›' <> t.table_schema",
        "SELECT * FROM ‹information_schema›.tables WHERE table_schema IN ('‹public›', '‹auth›', '‹x›') AND table_name = 'public'",
        "SELECT * FROM pg_tables WHERE schemaname = ANY (ARRAY['‹public›', '‹x›']) OR schemaname <> ALL ('{pg_toast,‹public›}'::text[])",
        "SELECT * FROM pg_policies WHERE '‹authenticated›' = ANY (roles) OR roles = '{‹anon›}' OR roles @> ARRAY['‹anon›']::name[]",
        "SELECT 1 FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid WHERE n.nspname::text = '‹public›'::text",
        "SELECT 1 FROM pg_class c WHERE relnamespace::regnamespace::text = '‹public›' AND pg_get_userbyid(relowner) = '‹postgres›'",
        "SELECT 1 FROM pg_roles WHERE rolname = '‹anon›' OR rolname LIKE '‹service_role›' OR rolname IS DISTINCT FROM '‹postgres›'",
        "SELECT 1 FROM ‹information_schema›.role_table_grants WHERE (table_schema, grantee) = ('‹public›', '‹anon›')",
        "SELECT 1 FROM t WHERE table_schema = 'public' AND rolname = 'anon' AND t.grantee = 'anon'",
        "SELECT 1 FROM t, pg_class c WHERE t.table_schema = 'public' AND t.roles = '{anon}'",
        "SELECT ‹svc:auth›.role() = 'authenticated', ‹svc:auth›.jwt() ->> 'role' = 'anon', current_setting('role') = 'anon' FROM pg_roles",
        "SELECT current_user = '‹anon›', '‹postgres›' = session_user, current_schema() = '‹public›', current_schema <> '‹public›'",
        "SELECT CASE nspname WHEN '‹public›' THEN 'public' ELSE 'auth' END FROM pg_namespace",
        "WITH c AS (SELECT table_schema FROM ‹information_schema›.tables) SELECT * FROM c WHERE c.table_schema = '‹public›'",
        "SELECT * FROM (SELECT schemaname FROM pg_tables) q WHERE schemaname = '‹public›' AND q.schemaname = '‹auth›'",
        "SELECT '‹public›' IN (SELECT nspname FROM pg_namespace), (SELECT nspname FROM pg_namespace) = '‹public›'",
        "SELECT 1 FROM pg_namespace n WHERE EXISTS (SELECT 1 FROM ‹public›.t WHERE n.nspname = '‹public›')",
        "SELECT 1 FROM pg_tables WHERE schemaname = ANY ('{‹public›, null ,NULL,\"x y\"}') OR schemaname = '{public'",
        "WITH t AS (SELECT n.nspname AS schema, c.relname AS name FROM pg_namespace n JOIN pg_class c ON true)"
                + " SELECT * FROM t WHERE schema IN ('‹public›') AND name = 'public' AND t.schema <> '‹auth›'",
        "SELECT 1 FROM (SELECT a.s::text AS owner_schema FROM (SELECT schemaname AS s FROM pg_tables) a) b"
                + " WHERE b.owner_schema = '‹public›' OR b.s = 'public'",
        "SELECT 1 FROM (SELECT title AS schema FROM ‹public›.t, pg_class) q WHERE q.schema = 'public'",
        "SELECT 1 FROM (SELECT nspname, 'x' FROM pg_namespace) AS q (a, schema) WHERE q.schema = 'public' AND q.a = '‹public›'",
        "SELECT 1 FROM (SELECT nspname AS schema FROM pg_namespace UNION SELECT title FROM ‹public›.t) q WHERE q.schema = 'public'",
        "WITH b AS (SELECT schema FROM a), a AS (SELECT nspname AS schema FROM pg_namespace)"
                + " SELECT 1 FROM b WHERE b.schema = 'public'",
        "WITH RECURSIVE b AS (SELECT a.schema AS schema FROM a), a AS (SELECT nspname AS schema FROM pg_namespace)"
                + " SELECT 1 FROM b WHERE b.schema = '‹public›'",
        "WITH RECURSIVE a AS (SELECT a.x AS x FROM a) SELECT 1 FROM a WHERE x = 'public'",
        "WITH RECURSIVE a AS (SELECT nspname, oid FROM pg_namespace UNION ALL SELECT a.nspname, a.oid FROM a)"
                + " SELECT 1 FROM a WHERE nspname = '‹public›'",
        "WITH c (s) AS (SELECT nspname FROM pg_namespace) SELECT 1 FROM c, c AS d (e) WHERE c.s = '‹public›' AND e = '‹auth›'",
        "SELECT 1 FROM (SELECT schemaname FROM pg_tables UNION ALL SELECT schemaname FROM pg_views) q WHERE schemaname = '‹public›'",
        "SELECT 1 FROM (SELECT * FROM pg_tables) q, (SELECT p.* FROM pg_policies p, t) r"
                + " WHERE q.schemaname = '‹public›' AND r.roles = '{‹anon›}' AND r.title = 'public'",
        "SELECT 1 FROM pg_namespace n WHERE EXISTS (SELECT 1 FROM pg_class WHERE nspname = '‹public›')",
        "SELECT 1 FROM f(1) x, ‹information_schema›.tables WHERE table_schema = '‹public›'",
        "MERGE INTO ‹public›.t USING pg_namespace n ON n.nspname = '‹public›'"
                + " WHEN MATCHED AND t.nspname = 'public' THEN UPDATE SET a = 'public'",
    };

    @ParameterizedTest
    @FieldSource("CONSTANTS")
    void replacesConstantsThatAreNames(String marked) {
        replaces(marked);
    }

    /** Rows of the application's, whatever its tables and columns are called and whatever is read beside them. */
    static final String[] DATA = {
        "SELECT 1 FROM t, pg_namespace n WHERE t.a ~ '^(public)$' AND n.nspname ~ '^(public|auth)$' AND n.nspname ~ 'public'",
        "SELECT 1 FROM t, pg_class WHERE roles = 'anon' AND table_schema = 'public'",
        "SELECT 1 FROM t, pg_policies WHERE pg_policies.roles = '{‹anon›}' AND grantee = 'anon'",
        "SELECT 1 FROM t, ‹information_schema›.tables WHERE table_schema = 'public'",
        "SELECT 1 FROM (t JOIN pg_policies p ON true) AS j WHERE j.roles = 'anon'",
        "SELECT 1 FROM pg_backups WHERE schemaname = 'public' AND nspname = 'public'",
        "SELECT 1 FROM ‹public›.pg_tables WHERE schemaname = 'public' AND pg_tables.schemaname = 'public'",
        "SELECT 1 FROM t AS pg_tables WHERE pg_tables.schemaname = 'public'",
        "SELECT 1 FROM pg_namespace n WHERE EXISTS (SELECT 1 FROM t WHERE nspname = 'public')",
        "SELECT 1 FROM pg_namespace AS n (a, nspname) WHERE nspname = 'public'",
        "WITH pg_tables AS (SELECT title AS schemaname FROM t) SELECT 1 FROM pg_tables WHERE schemaname = 'public'",
        "WITH pg_tables AS (SELECT title AS schemaname FROM t), u AS (SELECT * FROM pg_tables)"
                + " SELECT 1 FROM u WHERE u.schemaname = 'public'",
        "SELECT 1 FROM (SELECT title AS schemaname FROM t, pg_class) q WHERE schemaname = 'public'",
        "SELECT 1 FROM (SELECT * FROM t, pg_class) q WHERE q.roles = 'anon'",
        "SELECT 1 FROM (SELECT 'x', nspname FROM pg_namespace) AS q (nspname) WHERE q.nspname = 'public'",
        "SELECT 1 FROM (SELECT schemaname FROM pg_tables UNION ALL SELECT title FROM t) q WHERE schemaname = 'public'",
        "SELECT 1 FROM (VALUES ('public')) AS v (nspname), pg_class WHERE v.nspname = 'public'",
        "SELECT 1 FROM json_to_recordset('[]') AS r (nspname text), pg_class WHERE nspname = 'public'",
        "WITH x AS (UPDATE t SET a = 1 WHERE roles = 'anon' RETURNING *) SELECT 1 FROM x, pg_policies",
        "WITH x AS (DELETE FROM t WHERE rolname = 'anon' RETURNING *) SELECT 1 FROM x, pg_roles r WHERE x.rolname = 'anon'",
        "WITH x AS (INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 2 WHERE t.roles = 'anon' RETURNING *)"
                + " SELECT 1 FROM x, pg_policies AS t",
        "UPDATE t SET a = 1 FROM pg_class WHERE roles = 'anon'; UPDATE t SET a = 1 FROM pg_policies p WHERE t.roles = 'anon'",
        "SELECT 'public'::‹public›.regnamespace, ‹public›.pg_get_userbyid(1) = 'postgres'",
    };

    @ParameterizedTest
    @FieldSource("DATA")
    void leavesConstantsThatAreData(String marked) {
        replaces(marked);
    }

    static final String[] BODIES = {
        "CREATE FUNCTION ‹public›.f() RETURNS SETOF ‹public›.t LANGUAGE sql AS $$ SELECT public.x FROM ‹public›.t AS public $$",
        "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS 'SELECT ''public.t'' || max(a) FROM ‹public›.t WHERE ''‹public›.t''::regclass = 1'",
        "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS E'SELECT \\'é\\' ,\\n\\'\\\\u0041\\' FROM ‹public›.t'",
        "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS 'SELECT 1 FROM pub'\n  'lic.t, ‹public›.u'"
                .replace("pub'\n  'lic.t, ", ""),
        "CREATE FUNCTION ‹public›.f() RETURNS SETOF int LANGUAGE plpgsql SECURITY DEFINER AS $$ DECLARE r ‹public›.t%ROWTYPE;"
                + " i ‹auth›.users.id%TYPE := ‹svc:auth›.uid(); m CONSTANT ‹public›.mood := 'public.x'; auth record;"
                + " c CURSOR (k ‹public›.mood) FOR SELECT * FROM ‹public›.t;"
                + " BEGIN SELECT id, 'public.t' INTO STRICT r.public, auth.id FROM ‹public›.t; PERFORM ‹public›.f(public.x);"
                + " CASE m WHEN ‹public›.g(1), 'public' THEN INSERT INTO ‹public›.t (public) VALUES (1) RETURNING id INTO i; END CASE;"
                + " r.public := ‹public›.f(1); RAISE NOTICE 'public.t %', ‹public›.f(2) USING HINT = 'public.t';"
                + " FOR r IN SELECT * FROM ‹public›.t LOOP auth.id := 1; END LOOP; FOR i IN 1..‹public›.f(9) LOOP NULL; END LOOP;"
                + " IF TG_TABLE_SCHEMA = 'x' OR EXISTS (SELECT 1 FROM ‹auth›.users) THEN RETURN NEXT ‹public›.f(1); END IF;"
                + " GET DIAGNOSTICS auth.n = ROW_COUNT; OPEN c(‹public›.g(1)); RETURN QUERY SELECT ‹public›.f(1);"
                + " EXECUTE 'DROP TABLE ‹public›.t'; EXECUTE ⟪'DROP TABLE public.t' || r.x⟫; RAISE NOTICE 'DROP TABLE public.t';"
                + " EXECUTE ⟪format('SELECT %L FROM public.t', '‹public›.t'::regclass)⟫; RETURN; END $$",
        "DO $$ BEGIN SET LOCAL ROLE ‹anon›; PERFORM set_config('role', '‹authenticated›', true); EXECUTE 'SET ROLE ‹anon›'; END $$",
        "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_policies WHERE schemaname = '‹public›' AND tablename = 't') THEN"
                + " CREATE POLICY p ON ‹public›.t TO ‹authenticated› USING (‹svc:auth›.uid() = id); END IF; END $$",
        "DO $a$ BEGIN EXECUTE $q$ CREATE FUNCTION ‹public›.f() RETURNS int LANGUAGE sql AS 'SELECT 1 FROM ‹public›.t' $q$; END $a$",
        "DO 'BEGIN PERFORM 1 FROM ‹public›.t WHERE x = ''public.t''; END'",
        "DO $$ /* public.t ä😀 */ DECLARE x text := 'ä😀'; BEGIN x := 'ä😀 public.t'; x := x || ‹public›.f(); END $$; SELECT ‹public›.f()",
        "DO $$ DECLARE r record; c refcursor; q text := 'public.t'; n int; BEGIN EXECUTE ⟪q⟫; EXECUTE ⟪‹public›.f(q)⟫ INTO n USING"
                + " ‹public›.g(1), q; FOR r IN EXECUTE ⟪q || ' ORDER BY 1'⟫ USING n LOOP NULL; END LOOP; OPEN c FOR EXECUTE ⟪(q)⟫;"
                + " EXECUTE ⟪q⟫ -- public.t\n; EXECUTE svc_functions.own_names((q)::pg_catalog.text); EXECUTE ⟪q⟫ INTO STRICT r.a; END $$",
        "CREATE FUNCTION f(q text) RETURNS SETOF ‹public›.t LANGUAGE plpgsql AS 'BEGIN RETURN QUERY EXECUTE ⟪''SELECT * FROM '' || q⟫"
                + " USING 1; END'",
        "DO $$ BEGIN EXECUTE ⟪'ALTER PUBLICATION supabase_realtime ADD TABLE public.t'⟫; EXECUTE ⟪'CREATE SCHEMA app'⟫;"
                + " EXECUTE ⟪'GRANT USAGE ON SCHEMA app TO anon'⟫; EXECUTE 'GRANT SELECT ON ‹public›.t TO ‹anon›'; END $$",
        "DO $$ DECLARE t record; BEGIN FOR t IN EXECUTE 'SELECT 1 FROM ‹public›.t' LOOP RAISE NOTICE '%', 'SELECT 1 FROM public.t'; END LOOP; END $$",
    };

    @ParameterizedTest
    @FieldSource("BODIES")
    void replacesInsideOfFunctionsAndBlocks(String marked) {
        replaces(marked);
    }

    @Test
    void readsNamesAsTheServerReadsThem() {
        assertThat(mapped(
                        "SELECT * FROM U&\"publi\\0063\".a, U&\"publi!0063\" UESCAPE '!' . b, PUBLIC.c",
                        ProjectNames.shared(ID)))
                .isEqualTo("SELECT * FROM \"" + SCHEMA + "\".a, \"" + SCHEMA + "\" . b, " + SCHEMA + ".c");
        assertThat(mapped(
                        "SELECT'publ'\n'ic.t'::regclass, U&'publi\\0063.t'::regclass,U&'publi!0063'UESCAPE'!'::regnamespace",
                        ProjectNames.shared(ID)))
                .isEqualTo("SELECT'" + SCHEMA + ".t'::regclass, U&'" + SCHEMA + ".t'::regclass,U&'" + SCHEMA
                        + "'UESCAPE'!'::regnamespace");
        assertThat(mapped(
                        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS U&'SELECT 1 FROM publi\\0063.t'",
                        ProjectNames.shared(ID)))
                .isEqualTo("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS U&'SELECT 1 FROM " + SCHEMA + ".t'");
        assertThat(mapped("SELECT 1 FROM\"public\".t", ProjectNames.shared(ID)))
                .isEqualTo("SELECT 1 FROM\"" + SCHEMA + "\".t");
    }

    @Test
    void theSearchPathOfAFunctionHasTheCatalogThatItsOwnerMayRead() {
        String views = "\"svc_views\", pg_catalog";
        for (Map.Entry<String, String> path : Map.of(
                        "= ''", "= " + views,
                        "TO''", "TO" + views,
                        "= public", "= " + SCHEMA + ", " + views,
                        "TO'public'", "TO\"" + SCHEMA + "\", " + views,
                        "= public, pg_temp", "= " + SCHEMA + ", " + views + ", pg_temp",
                        "= pg_catalog, public, auth",
                                "= " + views + ", " + SCHEMA + ", " + SCHEMA + "_auth, \"svc_auth\"",
                        "= \"$user\", extensions", "= \"$user\", extensions, " + views,
                        "TO DEFAULT", "TO DEFAULT")
                .entrySet()) {
            for (String sql : new String[] {
                "CREATE FUNCTION f() RETURNS int LANGUAGE sql SET search_path %s AS 'SELECT 1'",
                "ALTER FUNCTION f() SET search_path %s"
            }) {
                assertThat(mapped(sql.formatted(path.getKey()), ProjectNames.shared(ID)))
                        .isEqualTo(sql.formatted(path.getValue()));
            }
        }
        assertThat(mapped("ALTER FUNCTION f() SET search_path = '', public", ProjectNames.dedicated(ID)))
                .isEqualTo("ALTER FUNCTION f() SET search_path = '', " + SCHEMA);
    }

    /** Scripts of before may name the project's own, which it has no more. */
    @Test
    void theRealNameOfACompanionLeadsToTheCommonFunctions() {
        assertThat(mapped("SELECT " + SCHEMA + "_auth.uid(), svc_auth.uid()", ProjectNames.shared(ID)))
                .isEqualTo("SELECT svc_auth.uid(), svc_auth.uid()");
    }

    @Test
    void inADatabaseOfItsOwnOnlyTheSchemaAndTheRolesDiffer() {
        assertThat(mapped(
                        "GRANT SELECT ON public.t, auth.users, storage.objects TO anon;"
                                + " SELECT auth.uid(), 'auth.users'::regclass, 'public.t'::regclass FROM pg_catalog.pg_class,"
                                + " information_schema.tables WHERE table_schema IN ('public', 'auth')",
                        ProjectNames.dedicated(ID)))
                .isEqualTo("GRANT SELECT ON " + SCHEMA + ".t, auth.users, storage.objects TO " + SCHEMA + "_anon;"
                        + " SELECT auth.uid(), 'auth.users'::regclass, '" + SCHEMA
                        + ".t'::regclass FROM pg_catalog.pg_class,"
                        + " information_schema.tables WHERE table_schema IN ('" + SCHEMA + "', 'auth')");
    }

    @Test
    void aRefusalTellsTheCallersPlaceAndNames() {
        var rejected = (Verdict.Rejected) GATE.judge(
                "SELECT 'ä😀' FROM public.t, auth.users;\nDELETE FROM pg_catalog.pg_class", ProjectNames.shared(ID));
        assertThat(rejected.what()).isEqualTo("a change in the schema pg_catalog");
        assertThat(rejected.statement()).isEqualTo(2);
        assertThat(rejected.place()).contains(new SourceText.Place(2, 13, 52));
    }

    @Test
    void aStatementThatIsNotSentTakesItsReplacementsWithIt() {
        assertThat(mapped(
                        "SELECT 1 FROM public.t; GRANT USAGE ON SCHEMA public TO anon; SELECT 2",
                        ProjectNames.shared(ID)))
                .isEqualTo("SELECT 1 FROM " + SCHEMA + ".t; DO 'BEGIN END'; SELECT 2");
    }
}
