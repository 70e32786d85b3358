package svc.database.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.util.PSQLException;
import svc.database.project.ObjectKind;

/** A project has a limited number of objects, whichever way the command that makes one too many comes. */
class ObjectLimitsTest {
    private static final String LIMITS = """
            {"relations": 6, "columns": 14, "indexes": 3, "functions": 4, "functionsOfOneName": 2, "operators": 1, "types": 2,
             "policies": 1, "triggers": 1}""";

    private static Tenant small;

    @BeforeAll
    static void prepare() throws Exception {
        small = limited();
        try (Connection owner = small.owner()) {
            Sql.run(owner, "CREATE TABLE base ()");
        }
    }

    private static Tenant limited() throws SQLException {
        Tenant tenant = HardenedServer.newTenant();
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(
                    superuser,
                    tenant.fill("INSERT INTO svc_guard.setting VALUES ('object limits of $S', '" + LIMITS + "')"));
        }
        return tenant;
    }

    @ParameterizedTest
    @EnumSource
    void theDatabaseAndTheOperatorHaveTheSameDefaults(ObjectKind kind) throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.value(
                            superuser,
                            HardenedServer.A.fill("SELECT svc_guard.object_limits('$S') ->> '" + kind.label() + "'")))
                    .isEqualTo(Integer.toString(kind.standard()));
        }
    }

    /** Each script is rolled back as a whole: the next begins with one empty table. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            relations | CREATE TABLE %s ()
            relations | CREATE TABLE %s AS SELECT 1 AS a
            relations | SELECT 1 AS a INTO %s
            relations | CREATE VIEW %s AS SELECT 1 AS a
            relations | CREATE MATERIALIZED VIEW %s AS SELECT 1 AS a
            relations | CREATE SEQUENCE %s
            relations | CREATE TEMP TABLE %s ()
            relations | ALTER TABLE base ADD COLUMN %s serial
            relations | ALTER TABLE base ADD COLUMN %s int GENERATED ALWAYS AS IDENTITY
            columns | CREATE TABLE %s (a int, b int, c int)
            columns | CREATE TABLE IF NOT EXISTS t (); ALTER TABLE t ADD COLUMN %s int
            columns | CREATE TYPE %s AS (a int, b int, c int, d int, e int, f int, g int, h int)
            indexes | CREATE TABLE %s (a int PRIMARY KEY)
            indexes | CREATE TABLE IF NOT EXISTS t (a int); CREATE INDEX %s ON t (a)
            indexes | CREATE TABLE IF NOT EXISTS t (a int, b int); ALTER TABLE t ADD CONSTRAINT %s UNIQUE (a, b)
            functions | CREATE FUNCTION %s() RETURNS int LANGUAGE sql AS 'SELECT 1'
            functions | CREATE PROCEDURE %s() LANGUAGE sql AS 'SELECT 1'
            functions | CREATE AGGREGATE %s(int) (SFUNC = int4pl, STYPE = int)
            types | CREATE DOMAIN %s AS int
            types | CREATE TYPE %s AS ENUM ('a')
            types | CREATE TYPE %s AS RANGE (SUBTYPE = int)
            policies | CREATE TABLE IF NOT EXISTS t (a int); CREATE POLICY %s ON t USING (true)
            triggers | CREATE TABLE IF NOT EXISTS t (a int); CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql \
            AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER %s BEFORE INSERT ON t EXECUTE FUNCTION f()
            """)
    void tooManyAreRefused(String kind, String command) throws Exception {
        String script = String.join(
                ";",
                IntStream.range(0, 16)
                        .mapToObj(i -> command.formatted("made" + i))
                        .toList());
        try (Connection owner = small.owner()) {
            assertThatThrownBy(() -> Sql.run(owner, script)).isInstanceOfSatisfying(PSQLException.class, refused -> {
                assertThat(refused.getSQLState()).isEqualTo("54000");
                assertThat(refused.getServerErrorMessage().getMessage())
                        .containsPattern(kind + "; it may have [0-9]+$");
                assertThat(refused.getServerErrorMessage().getHint()).contains("spec.limits.objects." + kind);
            });
        }
    }

    /** A count is noted, and the numbers that the server gave away since say how long it holds. */
    @Test
    void aScriptOfManyTablesIsCountedFewTimes() throws Exception {
        Tenant tenant = HardenedServer.newTenant();
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, tenant.fill("ALTER ROLE $S_owner SET track_functions = 'all'"));
            try (Connection owner = tenant.owner()) {
                Sql.run(owner, """
                        DO $$ BEGIN FOR i IN 1..200 LOOP
                            EXECUTE format('CREATE TABLE t%s (id int PRIMARY KEY, a text, b numeric)', i);
                        END LOOP; END $$""");
            }
            // A session that ends writes its figures a moment later.
            for (int i = 0; i < 600 && calls(superuser, "require_room") < 200; i++) {
                Thread.sleep(50);
            }
            assertThat(calls(superuser, "count_objects")).isBetween(3, 40);
        }
    }

    private static int calls(Connection superuser, String function) throws SQLException {
        return Integer.parseInt(Sql.value(
                superuser,
                "SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions WHERE schemaname = 'svc_guard' AND funcname = '"
                        + function + "'"));
    }

    @Test
    void operatorsAreLimitedTheirNamesAreEverybodys() throws Exception {
        try (Connection owner = small.owner()) {
            assertThat(Sql.state(owner, """
                    CREATE DOMAIN num AS int;
                    CREATE FUNCTION same(num, num) RETURNS boolean LANGUAGE sql AS 'SELECT true';
                    CREATE OPERATOR = (FUNCTION = same, LEFTARG = num, RIGHTARG = num);
                    CREATE OPERATOR <> (FUNCTION = same, LEFTARG = num, RIGHTARG = num)""")).isEqualTo("54000");
        }
    }

    @Test
    void functionsOfOneNameAreLimitedAlsoByDefault() throws Exception {
        // Eight arguments of one of two types each: as many signatures as are asked for.
        String overloads = """
                DO $$ BEGIN FOR i IN 0..99 LOOP
                    EXECUTE 'CREATE FUNCTION popular('
                        || (SELECT string_agg(CASE b WHEN '0' THEN 'int' ELSE 'text' END, ', ')
                            FROM regexp_split_to_table(i::bit(8)::text, '') b)
                        || ') RETURNS int LANGUAGE sql AS ''SELECT 1''';
                END LOOP; END $$""";
        Tenant ordinary = HardenedServer.newTenant();
        try (Connection owner = ordinary.owner()) {
            Sql.run(owner, overloads);
            assertThat(Sql.state(owner, "CREATE FUNCTION popular(name) RETURNS int LANGUAGE sql AS 'SELECT 1'"))
                    .isEqualTo("54000");
            // Under another name first.
            assertThat(Sql.state(owner, """
                    CREATE FUNCTION other(name) RETURNS int LANGUAGE sql AS 'SELECT 1';
                    ALTER FUNCTION other(name) RENAME TO popular""")).isEqualTo("54000");
            Sql.run(
                    owner,
                    "CREATE OR REPLACE FUNCTION popular(int,int,int,int,int,int,int,int) RETURNS int"
                            + " LANGUAGE sql AS 'SELECT 2'");
        }
    }

    @Test
    void whatIsAtTheLimitIsStillChangedReplacedAndDropped() throws Exception {
        Tenant full = limited();
        try (Connection owner = full.owner()) {
            Sql.run(owner, """
                    CREATE TABLE a (x int PRIMARY KEY, y int, z int); CREATE TABLE b (x int PRIMARY KEY, y int, z int);
                    CREATE TABLE c (x int PRIMARY KEY, y int, z int, u int);
                    CREATE VIEW v AS SELECT 1 AS x, 2 AS y; CREATE VIEW w AS SELECT 1 AS x, 2 AS y""");
            Sql.run(owner, """
                    ALTER TABLE a ENABLE ROW LEVEL SECURITY; ALTER TABLE c ALTER COLUMN y SET DEFAULT 1;
                    CREATE OR REPLACE VIEW v AS SELECT 3 AS x, 4 AS y""");
            lower(full);
            // Fewer allowed than there are: changes that add nothing go on.
            Sql.run(
                    owner,
                    "ALTER TABLE b DROP COLUMN y; ALTER TABLE b ALTER COLUMN z SET NOT NULL; COMMENT ON TABLE a IS 'x'");
            assertThat(Sql.state(owner, "ALTER TABLE b ADD COLUMN more int")).isEqualTo("54000");
            Sql.run(owner, "DROP VIEW v, w; DROP TABLE a, b, c");
        }
    }

    private static void lower(Tenant tenant) throws SQLException {
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(
                    superuser,
                    tenant.fill("UPDATE svc_guard.setting SET value = '{\"columns\": 5, \"indexes\": 1}'"
                            + " WHERE name = 'object limits of $S'"));
        }
    }

    @Test
    void twoSessionsFindNoRoomTogetherThatOneWouldNot() throws Exception {
        Tenant shared = limited();
        try (Connection first = shared.owner();
                Connection second = shared.owner()) {
            first.setAutoCommit(false);
            Sql.run(first, "CREATE TABLE a (); CREATE TABLE b (); CREATE TABLE c (); CREATE TABLE d ();");
            var other = CompletableFuture.supplyAsync(
                    () -> Sql.state(second, "CREATE TABLE e (); CREATE TABLE f (); CREATE TABLE g ()"));
            awaitWaiting(shared);
            first.commit();
            assertThat(other.get()).isEqualTo("54000");
        }
    }

    private static void awaitWaiting(Tenant tenant) throws Exception {
        String waiting =
                tenant.fill("SELECT pid FROM pg_stat_activity WHERE usename = '$S_owner' AND wait_event_type = 'Lock'");
        try (Connection superuser = HardenedServer.superuser()) {
            for (int i = 0; i < 600 && Sql.column(superuser, waiting).isEmpty(); i++) {
                Thread.sleep(50);
            }
        }
    }

    @Test
    void aLimitOfOneProjectIsNoOtherProjects() throws Exception {
        Tenant other = HardenedServer.newTenant();
        try (Connection owner = other.owner()) {
            Sql.run(
                    owner,
                    "CREATE TABLE a(); CREATE TABLE b(); CREATE TABLE c(); CREATE TABLE d(); CREATE TABLE e();"
                            + " CREATE TABLE f(); CREATE TABLE g()");
            for (String table : List.of("a", "g")) {
                assertThat(Sql.value(owner, "SELECT to_regclass('" + table + "')::text"))
                        .isEqualTo(table);
            }
        }
    }
}
