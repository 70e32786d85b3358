package svc.sqlgate.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.sqlgate.mapping.MarkedScript.ID;
import static svc.sqlgate.mapping.MarkedScript.SCHEMA;
import static svc.sqlgate.mapping.MarkedScript.mapped;
import static svc.sqlgate.mapping.MarkedScript.replaces;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.name.ProjectNames;

/** The schemas that a project makes beside {@code public} are named as it calls them, and are its own. */
class FurtherSchemaNamesTest {
    static final String[] SCRIPTS = {
        "SELECT t.id, ‹private›.todos.title, ‹private›.todos.* FROM ‹private›.todos, \"‹internal›\".users AS t WHERE private.x",
        "SELECT private.id, private.nowhere.x, (private).y FROM t AS private; SELECT extensions.f(), vault.x FROM public_x AS vault",
        "INSERT INTO ‹private›.t AS private (private) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = private.x",
        "UPDATE ‹private›.t SET a = ‹other›.f(x::‹private›.mood) FROM ‹public›.u WHERE ‹private›.t.id = u.id",
        "CREATE TABLE ‹private›.t (m ‹private›.mood REFERENCES ‹private›.m (id), r regclass DEFAULT '‹private›.t'::regclass)",
        "CREATE TYPE ‹private›.mood AS ENUM ('private.x'); CREATE DOMAIN ‹private›.d AS ‹private›.mood",
        "ALTER TABLE t SET SCHEMA ‹private›; ALTER TABLE ‹private›.t SET SCHEMA ‹public›; DROP TABLE ‹private›.a, private, ‹b›.c",
        "CREATE TRIGGER private BEFORE INSERT ON ‹private›.t FOR EACH ROW EXECUTE FUNCTION ‹private›.f('private.t')",
        "CREATE POLICY private ON ‹public›.t TO ‹anon› USING (‹private›.is_member(org, ‹public›.t.id) OR ‹svc:auth›.uid() = id)",
        "GRANT SELECT ON ALL TABLES IN SCHEMA ‹private›, ‹public› TO ‹anon›; GRANT SELECT ON ‹private›.t TO ‹anon›",
        "ALTER DEFAULT PRIVILEGES FOR ROLE ‹postgres› IN SCHEMA ‹private› GRANT ALL ON TABLES TO ‹anon›",
        "COMMENT ON COLUMN ‹private›.t.c IS 'private.t'; COMMENT ON COLUMN private.c IS 'x'; COMMENT ON TABLE ‹private›.t IS ''",
        "CREATE SEQUENCE ‹private›.s OWNED BY ‹private›.t.id; SELECT nextval('‹private›.s'), to_regclass('‹private›.t')",
        "SELECT has_schema_privilege('‹anon›', '‹private›', 'usage'), '‹private›'::regnamespace, to_regnamespace('‹private›')",
        "SELECT * FROM ‹information_schema›.tables WHERE table_schema = '‹private›' OR table_schema IN ('pg_catalog', '‹b›')",
        "SELECT * FROM t WHERE table_schema = 'private'; SELECT 'private.t', ‹private›.f('private')",
        "SELECT * FROM pg_tables WHERE schemaname LIKE 'priv%' OR schemaname = 'Private' OR schemaname = 'extensions'",
        "CREATE FUNCTION ‹private›.f(a ‹private›.t, b ‹b›.c) RETURNS SETOF ‹private›.mood LANGUAGE plpgsql"
                + " SECURITY DEFINER AS $$ <<private>> DECLARE r ‹private›.t%ROWTYPE; i ‹private›.t.id%TYPE := a.id;"
                + " m CONSTANT ‹private›.mood := b.x; private record; c CURSOR (k ‹private›.mood, l ‹b›.d) FOR SELECT k, private.r.x FROM ‹c›.t;"
                + " BEGIN PERFORM ‹private›.g(private.r.id); r.x := new.y; RETURN NEXT r.m; EXECUTE ⟪r.q⟫;"
                + " DECLARE s ‹private›.t; BEGIN RETURN QUERY SELECT private.id FROM ‹private›.t; END; RETURN; END $$",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN x := new.id; RETURN old.id; END $$",
        "CREATE FUNCTION f(private ‹public›.t) RETURNS int LANGUAGE sql AS $$ SELECT f.private.id FROM ‹private›.u $$",
        "DO $$ BEGIN IF to_regclass('‹private›.t') IS NULL THEN EXECUTE 'CREATE TABLE ‹private›.t (a int)'; END IF; END $$",
    };

    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void replacesTheirNames(String marked) {
        replaces(marked);
    }

    @Test
    void inADatabaseOfItsOwnFurtherSchemasHaveTheirNames() {
        String sql = "SELECT * FROM private.t, x.y WHERE private.t.id = '1'; SELECT 'private.t'::regclass";
        assertThat(mapped(sql, ProjectNames.dedicated(ID))).isEqualTo(sql);
        assertThat(mapped("SET search_path TO private, public", ProjectNames.dedicated(ID)))
                .isEqualTo("SET search_path TO private, " + SCHEMA);
    }

    @Test
    void whatIsTakenFromPublicInAFurtherSchemaIsTakenFromTheProjectsRoles() {
        String callers = SCHEMA + "_anon, " + SCHEMA + "_authenticated, " + SCHEMA + "_service";
        assertThat(mapped(
                        "REVOKE ALL ON FUNCTION private.f(int) FROM PUBLIC; REVOKE ALL ON ALL FUNCTIONS IN SCHEMA private FROM public CASCADE",
                        ProjectNames.shared(ID)))
                .isEqualTo("REVOKE ALL ON FUNCTION " + SCHEMA + "__private.f(int) FROM PUBLIC, " + callers
                        + "; REVOKE ALL ON ALL FUNCTIONS IN SCHEMA " + SCHEMA + "__private FROM public, " + callers
                        + " CASCADE");
        assertThat(mapped("REVOKE EXECUTE ON FUNCTION private.f FROM PUBLIC", ProjectNames.dedicated(ID)))
                .isEqualTo("REVOKE EXECUTE ON FUNCTION private.f FROM PUBLIC, " + callers);
        for (String other : new String[] {
            "REVOKE ALL ON FUNCTION f(int), g() FROM PUBLIC",
            "REVOKE ALL ON t FROM PUBLIC",
            "GRANT ALL ON FUNCTION f() TO PUBLIC"
        }) {
            assertThat(mapped(other, ProjectNames.shared(ID))).isEqualTo(other);
        }
    }

    @Test
    void aSearchPathWithAFurtherSchemaIsSet() {
        assertThat(mapped("SET search_path TO private, public, extensions", ProjectNames.shared(ID)))
                .isEqualTo("SET search_path TO " + SCHEMA + "__private, " + SCHEMA
                        + ", extensions, \"svc_views\", pg_catalog");
        assertThat(mapped("SET LOCAL search_path = 'private'", ProjectNames.shared(ID)))
                .isEqualTo("SET LOCAL search_path = \"" + SCHEMA + "__private\", \"svc_views\", pg_catalog");
        assertThat(mapped("SET search_path = public, extensions; RESET search_path", ProjectNames.shared(ID)))
                .isEqualTo("RESET search_path; RESET search_path");
        assertThat(mapped("ALTER FUNCTION f() SET search_path = private", ProjectNames.shared(ID)))
                .isEqualTo("ALTER FUNCTION f() SET search_path = " + SCHEMA + "__private, \"svc_views\", pg_catalog");
    }
}
