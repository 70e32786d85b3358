package svc.database.shared.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.name.FurtherSchema;
import svc.database.name.ProjectNames;
import svc.database.project.ProjectRemoval;
import svc.database.project.SqlBlock;
import svc.database.project.SqlStep;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;
import svc.database.shared.Tenant;

/** A project's further schemas: what its owner does with them, and that no name reaches another's. */
class SchemaStatementTest {
    private static final String RESERVED_NAME = "42939";
    private static final String INVALID_NAME = "42602";
    private static final String NO_SCHEMA = "3F000";

    private Tenant tenant;
    private Tenant neighbour;
    private Connection owner;

    @BeforeEach
    void logIn() throws Exception {
        tenant = HardenedServer.newTenant();
        neighbour = HardenedServer.newTenant();
        owner = tenant.owner();
        try (Connection other = neighbour.owner()) {
            create(other, "private");
            Sql.run(other, neighbour.fill("CREATE TABLE $S__private.secrets AS SELECT 1 AS a"));
        }
    }

    @AfterEach
    void logOut() throws Exception {
        owner.close();
    }

    private static void create(Connection connection, String name) throws Exception {
        Sql.run(connection, "CALL svc_statements.create_schema('" + name + "', false, NULL)");
    }

    private String state(String sql) {
        return Sql.state(owner, tenant.fill(sql).replace("$N", neighbour.schema()));
    }

    private String state(String login, String sql) throws Exception {
        try (Connection connection = tenant.login(login)) {
            return Sql.state(connection, tenant.fill(sql));
        }
    }

    private List<String> schemas() throws Exception {
        return Sql.column(
                owner,
                "SELECT substr(nspname, 38) FROM svc_views.pg_namespace WHERE nspname LIKE '%\\_\\_%' ORDER BY 1");
    }

    @Test
    void theOwnerUsesItLikeTheMainOne() throws Exception {
        create(owner, "private");

        Sql.run(owner, tenant.fill("""
                CREATE TABLE $S__private.members (id int PRIMARY KEY);
                CREATE TYPE $S__private.mood AS ENUM ('good');
                CREATE FUNCTION $S__private.is_member() RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = ''
                    AS 'SELECT EXISTS (SELECT FROM $S__private.members)';
                CREATE TABLE todos (id int, mood $S__private.mood);
                ALTER TABLE todos SET SCHEMA $S__private;
                ALTER TABLE $S__private.todos ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON $S__private.todos USING ($S__private.is_member());
                GRANT SELECT ON ALL TABLES IN SCHEMA $S__private TO $S_authenticated;
                ALTER DEFAULT PRIVILEGES IN SCHEMA $S__private GRANT SELECT ON TABLES TO $S_authenticated;
                CREATE VIEW $S__private.v AS SELECT * FROM $S__private.todos;
                COMMENT ON TABLE $S__private.todos IS 'mine'"""));

        assertThat(schemas()).containsExactly("__private");
        assertThat(
                        Sql.column(
                                owner,
                                tenant.fill(
                                        "SELECT tablename FROM svc_views.pg_tables WHERE schemaname = '$S__private' ORDER BY 1")))
                .containsExactly("members", "todos");
        assertThat(Sql.column(
                        owner,
                        tenant.fill("SELECT schema_name FROM svc_information_schema.schemata"
                                + " WHERE schema_name LIKE '$S\\_\\_%'")))
                .containsExactly(tenant.schema() + "__private");
        assertThat(Sql.value(owner, tenant.fill("SELECT svc_views.obj_description('$S__private.todos'::regclass)")))
                .isEqualTo("mine");
    }

    @Test
    void nobodyElseEntersBeforeAGrant() throws Exception {
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
    void namesAreJudgedAsTheGateJudgesThem() throws Exception {
        Stream<String> reserved = Stream.concat(
                FurtherSchema.RESERVED.stream(), Stream.of("pg_x", "pg_temp", "svc_views", "svc_", "proj_a"));
        for (String name : reserved.toList()) {
            assertThat(FurtherSchema.isName(name)).as(name).isFalse();
            assertThat(state("CALL svc_statements.create_schema('" + name + "', true, NULL)"))
                    .as(name)
                    .isEqualTo(RESERVED_NAME);
        }
        for (String name : List.of(
                "",
                " ",
                "1a",
                "Private",
                "privé",
                "a-b",
                "a.b",
                "a\"b",
                "a''b",
                "a b",
                "a\n",
                "x; DROP SCHEMA $N",
                "$user",
                "abcdefghijklmnopqrstuvwxy",
                "ｐｒｉｖａｔｅ",
                "ı")) {
            assertThat(FurtherSchema.isName(name.replace("''", "'"))).as(name).isFalse();
            assertThat(state("CALL svc_statements.create_schema('" + name + "', true, NULL)"))
                    .as(name)
                    .isEqualTo(INVALID_NAME);
        }
        assertThat(state("CALL svc_statements.create_schema(NULL, NULL, NULL)")).isEqualTo(INVALID_NAME);
        for (String name : List.of("owner", "api", "system", "_auth", "_", "__", "a1_", "abcdefghijklmnopqrstuvwx")) {
            assertThat(FurtherSchema.isName(name)).as(name).isTrue();
            assertThat(state("CALL svc_statements.create_schema('" + name + "', false, NULL)"))
                    .as(name)
                    .isEqualTo("00000");
        }
        assertThat(schemas()).hasSize(8).contains("__owner", "___auth", "__abcdefghijklmnopqrstuvwx");
    }

    @Test
    void aProjectHasTwentyAtMost() throws Exception {
        for (int i : IntStream.range(0, FurtherSchema.MAX_COUNT).toArray()) {
            create(owner, "s" + i);
        }
        assertThat(state("CALL svc_statements.create_schema('one_more', false, NULL)"))
                .isEqualTo("54000");
        assertThat(state("CALL svc_statements.create_schema('s1', false, NULL)"))
                .isEqualTo("42P06");
        assertThat(state("CALL svc_statements.create_schema('s1', true, NULL)")).isEqualTo("00000");
        assertThat(state("CALL svc_statements.rename_schema('s1', 's2')")).isEqualTo("42P06");
        assertThat(state("CALL svc_statements.drop_schemas('{s1}', false, false)"))
                .isEqualTo("00000");
        assertThat(state("CALL svc_statements.create_schema('one_more', false, NULL)"))
                .isEqualTo("00000");
    }

    @Test
    void itIsDroppedAsPostgresqlDoes() throws Exception {
        create(owner, "private");
        Sql.run(owner, tenant.fill("""
                CREATE TYPE $S__private.mood AS ENUM ('good');
                CREATE FUNCTION $S__private.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                CREATE TABLE moods (a int, m $S__private.mood);
                CREATE TRIGGER t AFTER INSERT ON $S_auth.users FOR EACH ROW EXECUTE FUNCTION $S__private.f()"""));

        assertThat(state("CALL svc_statements.drop_schemas('{private}', false, false)"))
                .isEqualTo("2BP01");
        assertThat(state("CALL svc_statements.drop_schemas('{private}', false, NULL)"))
                .isEqualTo("2BP01");
        assertThat(state("CALL svc_statements.drop_schemas('{private}', false, true)"))
                .isEqualTo("00000");
        assertThat(Sql.column(
                        owner,
                        tenant.fill("SELECT attname FROM svc_views.pg_attribute"
                                + " WHERE attrelid = '$S.moods'::regclass AND attnum > 0 AND NOT attisdropped")))
                .containsExactly("a");
        assertThat(state("CALL svc_statements.drop_schemas('{private}', false, true)"))
                .isEqualTo(NO_SCHEMA);
        assertThat(state("CALL svc_statements.drop_schemas('{private}', true, true)"))
                .isEqualTo("00000");
        try (Connection superuser = HardenedServer.superuser()) {
            assertThat(Sql.column(superuser, "SELECT backend FROM svc_guard.exempt_command"))
                    .isEmpty();
            assertThat(Sql.value(superuser, neighbour.fill("SELECT a FROM $S__private.secrets")))
                    .isEqualTo("1");
        }
    }

    @Test
    void itIsRenamedAndCommentedOn() throws Exception {
        create(owner, "private");
        Sql.run(owner, tenant.fill("CREATE TABLE $S__private.t (a int)"));
        Sql.run(owner, "CALL svc_statements.comment_on_schema('private', 'it''s mine')");
        Sql.run(owner, "CALL svc_statements.rename_schema('private', 'internal')");

        assertThat(Sql.value(
                        owner,
                        tenant.fill("SELECT svc_views.obj_description(oid, 'pg_namespace')"
                                + " FROM svc_views.pg_namespace WHERE nspname = '$S__internal'")))
                .isEqualTo("it's mine");
        assertThat(state("SELECT * FROM $S__internal.t")).isEqualTo("00000");
        for (String name : List.of("public", "auth", "$N__private", "Internal")) {
            assertThat(state("CALL svc_statements.rename_schema('internal', '" + name + "')"))
                    .as(name)
                    .isIn(RESERVED_NAME, INVALID_NAME);
        }
        assertThat(state("CALL svc_statements.keep_schema('private')")).isEqualTo(NO_SCHEMA);
        assertThat(state("CALL svc_statements.keep_schema('internal')")).isEqualTo("00000");
    }

    @Test
    void elementsAreMadeInItWithTheOwnersRights() throws Exception {
        Sql.run(
                owner,
                tenant.fill(
                        "CALL svc_statements.create_schema('app', false, ARRAY["
                                + "'CREATE TABLE t (a int)', 'CREATE VIEW v AS SELECT * FROM t', 'GRANT SELECT ON v TO $S_anon'])"));

        assertThat(state("SELECT * FROM $S__app.v")).isEqualTo("00000");
        assertThat(state("CREATE TABLE of_main (a int); SELECT * FROM $S.of_main"))
                .isEqualTo("00000");
        for (String element : List.of(
                "CREATE TABLE $N.t (a int)",
                "DROP SCHEMA $N CASCADE",
                "CREATE ROLE mine",
                "CREATE SCHEMA mine",
                "ALTER SCHEMA $S RENAME TO x",
                "GRANT SELECT ON t TO $N_anon")) {
            assertThat(state("CALL svc_statements.create_schema('more', false, ARRAY['CREATE TABLE t (a int)', '"
                            + element + "'])"))
                    .as(element)
                    .isEqualTo("42501");
        }
        assertThat(schemas()).containsExactly("__app");
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
                    "CALL svc_statements.comment_on_schema('%s', 'mine')",
                    "CALL svc_statements.keep_schema('%s')",
                    "CALL svc_statements.grant_on_schemas(ARRAY['%s'], '{$S_anon}', true)")) {
                assertThat(state(call.formatted(name))).as(call + name).isEqualTo(NO_SCHEMA);
            }
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

    @Test
    void aChangeInItCountsAsAChangeOfTheProject() throws Exception {
        String version = tenant.fill("SELECT version FROM svc_guard.schema_version WHERE schema_name = '$S'");
        try (Connection superuser = HardenedServer.superuser()) {
            long before = Long.parseLong(Sql.value(superuser, version));
            create(owner, "private");
            Sql.run(owner, tenant.fill("CREATE TABLE $S__private.t (a int)"));
            Sql.run(owner, "CALL svc_statements.drop_schemas('{private}', false, true)");
            assertThat(Long.parseLong(Sql.value(superuser, version))).isEqualTo(before + 3);
        }
    }

    @Test
    void theyGoWithTheProject() throws Exception {
        create(owner, "private");
        create(owner, "other");
        Sql.run(owner, tenant.fill("""
                CREATE TABLE $S__private.parent (id int PRIMARY KEY);
                CREATE TABLE $S__other.child (id int REFERENCES $S__private.parent);
                CREATE TABLE $S.child (id int REFERENCES $S__private.parent)"""));
        owner.close();

        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, "SET search_path = pg_catalog");
            var names = ProjectNames.shared(
                    ProjectNames.projectIdOf(tenant.schema()).orElseThrow());
            for (SqlStep step : ProjectRemoval.delete(names)) {
                Sql.run(superuser, SqlBlock.of(List.of(step)).sql().sql());
            }
            assertThat(Sql.column(
                            superuser,
                            "SELECT nspname FROM pg_namespace WHERE nspname LIKE '" + tenant.schema() + "%'"))
                    .isEmpty();
            assertThat(Sql.value(superuser, neighbour.fill("SELECT a FROM $S__private.secrets")))
                    .isEqualTo("1");
        }
    }
}
