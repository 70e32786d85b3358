package svc.database.shared.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** Temporary tables are for owners, hold nothing of other projects, and stand in front of no name of the platform's. */
class TemporaryTableTest {
    /** Catalogs and tables that the guard and the platform's functions read. */
    private static final String SHADOWS = """
            CREATE TEMP TABLE pg_authid (oid oid, rolname name, rolsuper boolean);
            CREATE TEMP TABLE pg_shdepend (dbid oid, classid oid, objid oid, refclassid oid, refobjid oid);
            CREATE TEMP TABLE pg_depend (classid oid, objid oid, refclassid oid, refobjid oid);
            CREATE TEMP TABLE pg_namespace (oid oid, nspname name);
            CREATE TEMP TABLE pg_class (oid oid, relname name, relnamespace oid);
            CREATE TEMP TABLE pg_database (oid oid, datname name);
            CREATE TEMP TABLE pg_policy (oid oid, polrelid oid);
            CREATE TEMP TABLE pg_trigger (oid oid, tgname name);
            CREATE TEMP TABLE setting (name text, value text);
            CREATE TEMP TABLE schema_version (schema_name text, version bigint);
            CREATE TEMP TABLE exempt_command (backend int);
            CREATE TEMP TABLE regclass (a int);
            CREATE TEMP TABLE regrole (a int);
            CREATE TEMP TABLE xid (a int);
            CREATE TEMP TABLE name (a int);
            CREATE TEMP TABLE oid (a int);
            CREATE TEMP TABLE text (a int);""";

    private static Tenant tenant;
    private static Tenant neighbour;

    @BeforeAll
    static void prepare() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.B;
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, """
                    CREATE TABLE victim (a int);
                    CREATE FUNCTION definer(command text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
                    AS 'BEGIN EXECUTE command; END';
                    GRANT EXECUTE ON FUNCTION definer(text) TO PUBLIC""");
        }
    }

    static final List<String> FORMS = List.of(
            "CREATE TEMP TABLE t (a int)",
            "CREATE TEMP TABLE t (id bigserial PRIMARY KEY, a text UNIQUE CHECK (a <> ''), b int GENERATED ALWAYS AS IDENTITY)"
                    + " ON COMMIT PRESERVE ROWS",
            "BEGIN; CREATE TEMP TABLE t (a int) ON COMMIT DROP; INSERT INTO t VALUES (1); COMMIT",
            "BEGIN; CREATE TEMP TABLE t (a int) ON COMMIT DELETE ROWS; COMMIT",
            "CREATE TEMP TABLE t AS SELECT 1 AS a",
            "SELECT 1 AS a INTO TEMP t",
            "CREATE TEMP VIEW v AS SELECT 1 AS a; CREATE OR REPLACE TEMP VIEW v AS SELECT 2 AS a",
            "CREATE TEMP SEQUENCE s; ALTER SEQUENCE s INCREMENT 2; DROP SEQUENCE s",
            "CREATE TEMP TABLE t (a int, b text); CREATE INDEX ON t (a); ALTER TABLE t ADD c int; ALTER TABLE t DROP b;"
                    + " CREATE STATISTICS ON a, c FROM t; COMMENT ON TABLE t IS 'x'; COMMENT ON COLUMN t.a IS 'x';"
                    + " ALTER TABLE t RENAME a TO d; ALTER TABLE t RENAME TO u; ANALYZE u; REINDEX TABLE u; TRUNCATE u; DROP TABLE u",
            "CREATE TEMP TABLE t (a int); CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';"
                    + " CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION touch(); INSERT INTO t VALUES (1);"
                    + " ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t USING (true); DROP POLICY p ON t;"
                    + " DROP TRIGGER x ON t; DROP FUNCTION touch()",
            "CREATE TEMP TABLE t (a int); GRANT SELECT ON t TO $S_anon; REVOKE ALL ON t FROM $S_anon; DROP TABLE pg_temp.t",
            "CREATE TEMP TABLE t (a text); CREATE TABLE pg_temp.u (LIKE t)",
            "CREATE TEMP TABLE t (a int PRIMARY KEY) PARTITION BY RANGE (a); CREATE TEMP TABLE u PARTITION OF t DEFAULT",
            "CREATE TEMP TABLE victim (a text); ALTER TABLE victim ADD b int; DROP TABLE victim; ALTER TABLE victim ADD c int;"
                    + " ALTER TABLE victim DROP c",
            "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a; CREATE UNIQUE INDEX ON m (a); REFRESH MATERIALIZED VIEW CONCURRENTLY m;"
                    + " DROP MATERIALIZED VIEW m");

    @ParameterizedTest
    @FieldSource("FORMS")
    void ownersMakeThem(String sql) throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, tenant.fill(sql));
        }
    }

    @Test
    void theyEndWithTheirSession() throws Exception {
        try (Connection superuser = HardenedServer.superuser();
                Connection other = tenant.owner()) {
            try (Connection owner = tenant.owner()) {
                Sql.run(owner, "CREATE TEMP TABLE fleeting (a text); INSERT INTO fleeting VALUES ('x')");
                assertThat(Sql.state(other, "SELECT * FROM fleeting")).isEqualTo("42P01");
                String real = Sql.value(
                        superuser, "SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 'fleeting'");
                for (Connection stranger : List.of(other, neighbour.owner())) {
                    assertThat(Sql.state(stranger, "SELECT * FROM " + real + ".fleeting"))
                            .isIn("42501", "0A000");
                    assertThat(Sql.state(stranger, "DROP TABLE " + real + ".fleeting"))
                            .isIn("42501", "0A000");
                }
            }
            for (int i = 0; i < 600 && !left(superuser).isEmpty(); i++) {
                Thread.sleep(50);
            }
            assertThat(left(superuser)).isEmpty();
        }
    }

    private static List<String> left(Connection superuser) throws Exception {
        return Sql.column(superuser, "SELECT relname FROM pg_class WHERE relname = 'fleeting'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "service", "system"})
    void theDataPlaneMakesNone(String login) throws Exception {
        for (String sql : List.of(
                "CREATE TEMP TABLE t (a int)",
                "CREATE TEMP TABLE t AS SELECT 1",
                "SELECT 1 AS a INTO TEMP t",
                "CREATE TEMP VIEW t AS SELECT 1",
                "CREATE TEMP SEQUENCE t",
                "CREATE FUNCTION pg_temp.t() RETURNS int LANGUAGE sql AS 'SELECT 1'")) {
            try (Connection session = tenant.login(login)) {
                assertThat(Sql.state(session, sql)).as(sql).isEqualTo("42501");
                assertThat(Sql.value(session, "SELECT pg_catalog.pg_my_temp_schema()"))
                        .as(sql)
                        .isEqualTo("0");
            }
        }
    }

    @Test
    void theOwnersRightsLendNoneToTheDataPlane() throws Exception {
        try (Connection service = tenant.login("service")) {
            for (String sql :
                    List.of("CREATE TEMP TABLE t (a int)", "SELECT 1 INTO TEMP t", "CREATE TEMP SEQUENCE t")) {
                assertThat(Sql.state(service, tenant.fill("SELECT $S.definer('" + sql + "')")))
                        .as(sql)
                        .isEqualTo("42501");
            }
        }
    }

    @Test
    void theGuardReadsTheCatalogBehindThem() throws Exception {
        try (Connection owner = tenant.owner();
                Connection superuser = HardenedServer.superuser()) {
            Sql.run(owner, SHADOWS);
            for (String sql : List.of(
                    "GRANT SELECT ON $S.victim TO $N_owner",
                    "CREATE POLICY p ON $S.victim TO $N_anon USING (true)",
                    "GRANT SELECT ON setting TO $N_owner",
                    "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO $N_owner",
                    "CREATE PUBLICATION mine")) {
                String attack = tenant.fill(sql).replace("$N", neighbour.schema());
                assertThat(Sql.state(owner, attack)).as(attack).isEqualTo("42501");
            }
            String version = tenant.fill("SELECT version FROM svc_guard.schema_version WHERE schema_name = '$S'");
            String before = Sql.value(superuser, version);
            Sql.run(owner, tenant.fill("CREATE TABLE $S.shadowed (a int)"));
            assertThat(Sql.value(superuser, version)).isNotEqualTo(before);
            assertThat(Sql.column(owner, "SELECT c.relname FROM svc_views.pg_class c WHERE c.relkind = 'r'"))
                    .contains("victim", "shadowed")
                    .doesNotContain("secrets");
            assertThat(Sql.column(owner, "SELECT t.table_name FROM svc_information_schema.tables t"))
                    .contains("shadowed");
            Sql.run(owner, tenant.fill("DROP TABLE $S.shadowed"));
        }
    }

    @Test
    void theSchemasVersionDoesNotCountThem() throws Exception {
        String version = tenant.fill("SELECT version FROM svc_guard.schema_version WHERE schema_name = '$S'");
        try (Connection owner = tenant.owner();
                Connection superuser = HardenedServer.superuser()) {
            String before = Sql.value(superuser, version);
            Sql.run(
                    owner,
                    "CREATE TEMP TABLE uncounted (a int); CREATE INDEX ON uncounted (a); ALTER TABLE uncounted ADD b int");
            assertThat(Sql.value(superuser, version)).isEqualTo(before);
            Sql.run(owner, "BEGIN; CREATE TEMP TABLE other (a int); CREATE TABLE counted (a int); COMMIT");
            assertThat(Sql.value(superuser, version)).isNotEqualTo(before);
        }
    }

    /** A lasting object that needs a temporary one would be taken along by the end of a session. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TYPE pg_temp.mood AS ENUM ('ok')",
                "CREATE TYPE pg_temp.pair AS (a int)",
                "CREATE DOMAIN pg_temp.d AS int",
                "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "CREATE AGGREGATE pg_temp.total(int) (sfunc = int4pl, stype = int)",
                "CREATE COLLATION pg_temp.c FROM \"C\""
            })
    void nothingButTablesIsTemporary(String sql) throws Exception {
        try (Connection owner = tenant.owner()) {
            assertThat(Sql.state(owner, sql)).isEqualTo("42501");
        }
    }

    /** PostgreSQL looks for relations and types among temporary ones first, unless the path says otherwise. */
    @Test
    void everyFunctionOfThePlatformLooksThereLast() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.column(superuser, """
                            SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                            JOIN pg_language l ON l.oid = p.prolang
                            WHERE (n.nspname ~ '^svc_' OR n.nspname ~ '^proj_[0-9a-f]{32}_')
                              AND l.lanname NOT IN ('c', 'internal')
                              -- Have the caller's rights, and read a condition, or statements, in the caller's path.
                              AND p.proname NOT IN ('write_policy', 'create_schema')
                              -- What names mean in a body in standard SQL was decided when it was created.
                              AND p.prosqlbody IS NULL
                              AND NOT EXISTS (SELECT FROM unnest(p.proconfig) s WHERE s ~ '^search_path=.*, pg_temp$')""")).isEmpty();
        }
    }
}
