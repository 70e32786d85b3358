package svc.database.shared.walls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** What one statement's answer does not show: later effects, other databases, channels, shadowed names. */
class SessionWallTest {
    static final List<String> LOGINS = Tenant.LOGINS;
    private static Tenant tenant;

    @BeforeAll
    static void prepare() throws Exception {
        tenant = HardenedServer.newTenant();
    }

    @ParameterizedTest
    @FieldSource("LOGINS")
    void otherDatabasesAreClosed(String login) {
        for (String database : List.of("postgres", "template1")) {
            assertThatThrownBy(() -> HardenedServer.SERVER
                            .connect(database, tenant.schema() + "_" + login, tenant.password())
                            .close())
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("42501"));
        }
    }

    @Test
    void noLoginIsAMemberOfTwoProjectsOrOfALevelThatLogsInAndNoneInherits() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.column(superuser, """
                            SELECT m.member::regrole || ' in ' || m.roleid::regrole FROM pg_auth_members m
                            JOIN pg_authid r ON r.oid = m.roleid JOIN pg_authid l ON l.oid = m.member
                            WHERE l.rolname LIKE 'proj%' AND (l.rolname !~ '_(api|owner)$' OR r.rolcanlogin
                               OR left(l.rolname, 37) <> left(r.rolname, 37) OR m.admin_option OR m.inherit_option)""")).isEmpty();
        }
    }

    @Test
    void whatAnOwnerDoesInACallersRoleIsThatCallers() throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, """
                    CREATE TABLE kept (who text DEFAULT current_user);
                    ALTER TABLE kept ENABLE ROW LEVEL SECURITY;
                    CREATE POLICY own ON kept TO authenticated USING (true) WITH CHECK (true);
                    INSERT INTO kept DEFAULT VALUES""".replace("authenticated", tenant.schema() + "_authenticated"));
            Sql.run(owner, tenant.fill("SET ROLE $S_anon"));
            assertThat(Sql.column(owner, "SELECT who FROM kept")).isEmpty();
            assertThat(Sql.state(owner, "INSERT INTO kept DEFAULT VALUES")).isEqualTo("42501");
            Sql.run(owner, tenant.fill("RESET ROLE; SET ROLE $S_authenticated; INSERT INTO kept DEFAULT VALUES"));
            assertThat(Sql.column(owner, "SELECT who FROM kept"))
                    .containsExactly(tenant.schema() + "_owner", tenant.schema() + "_authenticated");
            // Its own name is a role like NONE: DDL goes on.
            Sql.run(owner, tenant.fill("SET ROLE $S_owner; DROP TABLE kept"));
        }
    }

    @Test
    void whatACallersRoleSetsForItselfReachesNoOtherSession() throws Exception {
        Tenant other = HardenedServer.newTenant();
        try (Connection owner = other.owner()) {
            Sql.run(
                    owner,
                    other.fill(
                            "SET ROLE $S_anon; ALTER ROLE $S_anon PASSWORD 'x'; ALTER ROLE $S_anon SET work_mem = '1234kB'"));
        }
        assertThatThrownBy(() -> HardenedServer.SERVER
                        .connect(HardenedServer.DATABASE, other.schema() + "_anon", "x")
                        .close())
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refused -> assertThat(refused.getSQLState()).isEqualTo("28000"));
        try (Connection api = other.login("api")) {
            Sql.run(api, other.fill("SET ROLE $S_anon"));
            assertThat(Sql.value(api, "SHOW work_mem")).isNotEqualTo("1234kB");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "SELECT 1; COMMIT"})
    void whatRunsAtCommitIsStillTheTenant(String end) throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, """
                    DROP TABLE IF EXISTS late, log;
                    CREATE TABLE log (who text);
                    CREATE TABLE late (a int);
                    CREATE OR REPLACE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN BEGIN EXECUTE ''RESET ROLE''; EXECUTE ''RESET SESSION AUTHORIZATION'';
                     EXCEPTION WHEN OTHERS THEN NULL; END;
                     INSERT INTO log VALUES (current_user || session_user); RETURN NULL; END';
                    CREATE CONSTRAINT TRIGGER t AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION at_commit();
                    CREATE OR REPLACE FUNCTION who() RETURNS text LANGUAGE plpgsql AS
                    'BEGIN EXECUTE ''RESET ROLE''; RETURN current_user || session_user; END'""");
            Sql.run(owner, "BEGIN; INSERT INTO late VALUES (1); DECLARE c CURSOR WITH HOLD FOR SELECT who(); " + end);
            String self = tenant.schema() + "_owner" + tenant.schema() + "_owner";
            assertThat(Sql.column(owner, "SELECT who FROM log")).containsOnly(self);
            assertThat(Sql.value(owner, "FETCH c")).isEqualTo(self);
        }
    }

    @Test
    void shadowingOperatorsAndFunctionsNeverRunAsThePlatform() throws Exception {
        try (Connection owner = tenant.owner()) {
            Sql.run(owner, """
                    CREATE TABLE caught (who text);
                    CREATE TABLE spied (id int PRIMARY KEY, v int DEFAULT 3 CHECK (v > 0));
                    CREATE VIEW spied_view AS SELECT * FROM spied;
                    COMMENT ON TABLE spied IS 'mine';
                    CREATE FUNCTION spy(oid, oid) RETURNS boolean LANGUAGE plpgsql AS
                    'BEGIN IF current_user <> session_user THEN RAISE EXCEPTION ''ran as %%'', current_user; END IF; RETURN $1::text = $2::text; END';
                    CREATE FUNCTION spy(name, name) RETURNS boolean LANGUAGE plpgsql AS
                    'BEGIN IF current_user <> session_user THEN RAISE EXCEPTION ''ran as %%'', current_user; END IF; RETURN $1::text = $2::text; END';
                    CREATE FUNCTION spy(text, text) RETURNS boolean LANGUAGE plpgsql AS
                    'BEGIN IF current_user <> session_user THEN RAISE EXCEPTION ''ran as %%'', current_user; END IF; RETURN true; END';
                    CREATE OPERATOR = (LEFTARG = oid, RIGHTARG = oid, FUNCTION = spy);
                    CREATE OPERATOR = (LEFTARG = name, RIGHTARG = name, FUNCTION = spy);
                    CREATE OPERATOR ~ (LEFTARG = text, RIGHTARG = text, FUNCTION = spy);
                    CREATE FUNCTION substr(text, int, int) RETURNS text LANGUAGE sql AS 'SELECT ''%s''::text';
                    CREATE FUNCTION format(text, text) RETURNS text LANGUAGE sql AS 'SELECT current_user::text';
                    SET search_path = %s, pg_catalog, svc_views;
                    SET standard_conforming_strings = off""".formatted(HardenedServer.B.schema(), tenant.schema()));
            assertThat(Sql.value(owner, """
                            SELECT concat(svc_views.pg_get_viewdef('spied_view'::regclass), svc_views.obj_description('spied'::regclass),
                              (SELECT string_agg(svc_views.pg_get_constraintdef(k.oid), ',') FROM svc_views.pg_constraint k),
                              (SELECT string_agg(svc_views.pg_get_indexdef(i.indexrelid), ',') FROM svc_views.pg_index i),
                              (SELECT string_agg(r.definition, ',') FROM svc_views.pg_rules r),
                              (SELECT count(*) FROM svc_views.pg_class), (SELECT count(*) FROM svc_information_schema.columns))""")).contains("spied", "mine");
            // The guard, under the same shadows.
            Sql.run(owner, "CREATE TABLE after_shadowing (a int); DROP TABLE after_shadowing");
            assertThat(Sql.state(owner, "GRANT SELECT ON spied TO " + HardenedServer.B.schema() + "_owner"))
                    .isEqualTo("42501");
            Sql.run(owner, "DROP OPERATOR = (oid, oid); DROP OPERATOR = (name, name); DROP OPERATOR ~ (text, text)");
        }
    }

    @Test
    void aLeakyConditionSeesOwnRowsOnly() throws Exception {
        try (Connection owner = HardenedServer.newTenant().owner()) {
            Sql.run(owner, """
                    CREATE TABLE seen (name text);
                    CREATE FUNCTION leaky(n text) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql AS
                    'BEGIN INSERT INTO seen VALUES (n); RETURN true; END'""");
            Sql.column(
                    owner,
                    "SELECT count(*) FROM svc_views.pg_class WHERE leaky(relname::text || relnamespace::regnamespace)");
            // Nothing but the function itself: what else a condition does makes it dearer, and it runs later.
            Sql.column(owner, "SELECT count(*) FROM svc_views.pg_proc WHERE leaky(prosrc)");
            Sql.column(owner, "SELECT count(*) FROM svc_views.pg_namespace WHERE leaky(nspname::text)");
            Sql.column(owner, "SELECT count(*) FROM svc_views.pg_constraint WHERE leaky(conname::text)");
            Sql.column(owner, "SELECT count(*) FROM svc_views.pg_description WHERE leaky(description)");
            assertThat(Sql.column(owner, "SELECT name FROM seen"))
                    .isNotEmpty()
                    .noneMatch(name -> name.contains("canary") || name.contains(HardenedServer.B.schema()));
        }
    }

    @Test
    void anOwnersDdlCountsOnceAndIsNotified() throws Exception {
        String version = tenant.fill("SELECT version FROM svc_guard.schema_version WHERE schema_name = '$S'");
        try (Connection superuser = HardenedServer.superuser();
                Connection listener = tenant.login("service");
                Connection owner = tenant.owner()) {
            Sql.run(listener, "LISTEN " + HardenedServer.CHANNEL);
            long before = Long.parseLong(Sql.value(superuser, version));
            Sql.run(owner, "BEGIN; CREATE TABLE n1 (a int); ALTER TABLE n1 ADD b int; DROP TABLE n1; COMMIT");
            assertThat(Long.parseLong(Sql.value(superuser, version))).isEqualTo(before + 1);
            assertThat(listener.unwrap(PGConnection.class).getNotifications(5000))
                    .singleElement()
                    .satisfies(notification ->
                            assertThat(notification.getParameter()).isEqualTo(tenant.schema()));
            Sql.run(owner, "BEGIN; CREATE TABLE n2 (a int); ROLLBACK");
            assertThat(Long.parseLong(Sql.value(superuser, version))).isEqualTo(before + 1);
        }
    }

    @Test
    void aForgedHintChangesNoTruth() throws Exception {
        try (Connection superuser = HardenedServer.superuser();
                Connection service = tenant.login("service")) {
            List<String> before = Sql.column(superuser, "SELECT v::text FROM svc_guard.schema_version v ORDER BY 1");
            Sql.column(
                    service, "SELECT pg_notify('" + HardenedServer.CHANNEL + "', '" + HardenedServer.B.schema() + "')");
            assertThat(Sql.column(superuser, "SELECT v::text FROM svc_guard.schema_version v ORDER BY 1"))
                    .isEqualTo(before);
            assertThat(Sql.column(service, "SELECT pg_listening_channels()")).isEmpty();
        }
    }

    @Test
    void theCatalogLoginReadsCatalogsAndNothingElse() throws Exception {
        try (Connection catalog = HardenedServer.SERVER.connect(HardenedServer.DATABASE, "svc_catalog", "catalog")) {
            assertThat(Sql.column(catalog, "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'secret_body'"))
                    .hasSize(2);
            assertThat(Sql.column(catalog, "SELECT version FROM svc_guard.schema_version"))
                    .isNotEmpty();
            for (String refused : List.of(
                    "SELECT * FROM " + HardenedServer.B.schema() + ".secrets",
                    "SELECT * FROM pg_authid",
                    "SELECT * FROM pg_stats",
                    "SELECT * FROM pg_statistic",
                    "SELECT * FROM pg_stat_activity",
                    "SELECT * FROM svc_guard.setting",
                    "UPDATE svc_guard.schema_version SET version = 0",
                    "CREATE TABLE t (a int)",
                    "CREATE TEMP TABLE t (a int)",
                    "SELECT pg_read_file('/etc/passwd')",
                    "SET ROLE svc_companion")) {
                assertThat(Sql.state(catalog, refused)).as(refused).isIn("42501", "3F000");
            }
        }
    }
}
