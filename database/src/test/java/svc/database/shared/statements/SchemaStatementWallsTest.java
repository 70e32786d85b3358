package svc.database.shared.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;

/** A project's further schemas: no name reaches another's, and rights go to the project's own roles alone. */
class SchemaStatementWallsTest extends FurtherSchemaFixture {
    private static final String NO_SCHEMA = "3F000";

    @Test
    void noOtherRoleEntersBeforeAGrant() throws Exception {
        create(owner, "private");
        Sql.run(owner, tenant.fill("""
                CREATE FUNCTION $S__private.f() RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE TABLE $S__private.t (a int);
                CREATE TABLE guarded (a int);
                INSERT INTO guarded VALUES (1);
                ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
                CREATE POLICY p ON guarded USING ($S__private.f() = 1)"""));

        String call = "SET ROLE $S_anon; SELECT $S__private.f()";
        assertThat(state("api", call)).isEqualTo("42501");
        assertThat(state("service", "SELECT $S__private.f()")).isEqualTo("42501");
        // A policy names the function by what it is, so it needs no USAGE on its schema.
        assertThat(state("api", "SET ROLE $S_anon; SELECT * FROM $S.guarded")).isEqualTo("00000");

        assertThat(state("CALL svc_statements.grant_on_schemas('{private}', '{$S_anon}', true)"))
                .isEqualTo("00000");
        assertThat(state("api", call)).isEqualTo("00000");
        assertThat(state("api", "SET ROLE $S_anon; SELECT * FROM $S__private.t"))
                .isEqualTo("42501");
        assertThat(state("CALL svc_statements.grant_on_schemas('{private}', '{$S_anon}', false)"))
                .isEqualTo("00000");
        assertThat(state("api", call)).isEqualTo("42501");
    }

    @Test
    void rightsGoToTheProjectsRolesOnly() throws Exception {
        create(owner, "private");
        for (String role : List.of("$N_anon", "$N_owner", "public", "PUBLIC", "svc_companion", "$S_owner", "x; DROP")) {
            assertThat(state("CALL svc_statements.grant_on_schemas('{private}', ARRAY['" + role + "'], true)"))
                    .as(role)
                    .isEqualTo("42501");
        }
        assertThat(state("CALL svc_statements.grant_on_schemas('{private}', ARRAY[NULL::text], true)"))
                .isEqualTo("42501");
        assertThat(state("CREATE TABLE $S__private.t (a int); GRANT SELECT ON $S__private.t TO $N_anon"))
                .isEqualTo("42501");
        assertThat(state("ALTER DEFAULT PRIVILEGES IN SCHEMA $S__private GRANT SELECT ON TABLES TO $N_anon"))
                .isEqualTo("42501");
        assertThat(state("GRANT USAGE ON SCHEMA $S__private TO PUBLIC")).isEqualTo("00000");
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.column(
                            superuser,
                            tenant.fill("SELECT x.grantee::regrole::text FROM pg_namespace n,"
                                    + " aclexplode(n.nspacl) x WHERE n.nspname = '$S__private' ORDER BY 1")))
                    .containsOnly(tenant.schema() + "_owner", "svc_companion");
        }
    }

    @Test
    void noNameReachesAnothers() throws Exception {
        create(owner, "private");
        for (String name : List.of(
                "$N__private",
                "$N",
                "$S",
                "$S_auth",
                "auth",
                "public",
                "svc_guard",
                "svc_views",
                "extensions",
                "pg_catalog",
                "information_schema",
                "x",
                "",
                "private, $N",
                "private\" CASCADE; --")) {
            for (String call : List.of(
                    "CALL svc_statements.drop_schemas(ARRAY['%s'], false, true)",
                    "CALL svc_statements.rename_schema('%s', 'mine')",
                    "CALL svc_statements.keep_schema('%s')",
                    "CALL svc_statements.grant_on_schemas(ARRAY['%s'], '{$S_anon}', true)")) {
                assertThat(state(call.formatted(name))).as(call + name).isEqualTo(NO_SCHEMA);
            }
            // The project's main schema is its public, and no other.
            assertThat(state("CALL svc_statements.comment_on_schema('%s', 'mine')".formatted(name)))
                    .as(name)
                    .isEqualTo(name.equals("public") ? "00000" : NO_SCHEMA);
        }
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.column(
                            superuser,
                            "SELECT nspname::text FROM pg_namespace"
                                    + " WHERE obj_description(oid, 'pg_namespace') LIKE 'mine%'"))
                    .containsExactly(tenant.schema());
        }
        for (String statement : List.of(
                "CREATE SCHEMA $S__mine",
                "DROP SCHEMA $S__private",
                "DROP SCHEMA $S__private CASCADE",
                "ALTER SCHEMA $S__private RENAME TO $S__x",
                "ALTER SCHEMA $S__private OWNER TO $S_owner",
                "COMMENT ON SCHEMA $S__private IS 'x'",
                "SELECT * FROM $N__private.secrets",
                "CREATE TABLE $N__private.mine (a int)",
                "CREATE TABLE t (a int); ALTER TABLE t SET SCHEMA $N__private",
                "DROP TABLE $N__private.secrets",
                "SELECT svc_guard.require_schema('private')",
                "SELECT svc_guard.run_on_schema('DROP SCHEMA $N CASCADE')",
                "SELECT * FROM svc_guard.further_schemas('$N')",
                "INSERT INTO svc_guard.exempt_command VALUES (1)")) {
            assertThat(state(statement)).as(statement).isEqualTo("42501");
        }
        assertThat(schemas()).containsExactly("__private");
    }

    @Test
    void theDataPlaneMakesNone() throws Exception {
        create(owner, "private");
        Sql.run(
                owner,
                tenant.fill("CREATE FUNCTION $S.definer(command text) RETURNS void LANGUAGE plpgsql"
                        + " SECURITY DEFINER AS 'BEGIN EXECUTE command; END'"));
        for (String login : List.of("api", "service", "system")) {
            for (String call : List.of(
                    "CALL svc_statements.create_schema('mine', false, NULL)",
                    "SELECT svc_statements.make_schema('mine', false)",
                    "CALL svc_statements.drop_schemas('{private}', true, true)",
                    "CALL svc_statements.rename_schema('private', 'mine')",
                    "CALL svc_statements.comment_on_schema('private', 'mine')",
                    "CALL svc_statements.keep_schema('private')",
                    "CALL svc_statements.grant_on_schemas('{private}', '{$S_anon}', true)")) {
                assertThat(state(login, call)).as(login + " " + call).isEqualTo("42501");
                if (login.equals("service")) {
                    assertThat(state(login, "SELECT $S.definer('" + call.replace("'", "''") + "')"))
                            .as(call)
                            .isEqualTo("42501");
                }
            }
        }
        assertThat(schemas()).containsExactly("__private");
    }
}
