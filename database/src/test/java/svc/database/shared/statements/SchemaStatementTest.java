package svc.database.shared.statements;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import svc.database.name.FurtherSchema;
import svc.database.name.ProjectNames;
import svc.database.project.ProjectRemoval;
import svc.database.project.SqlBlock;
import svc.database.project.SqlStep;
import svc.database.shared.HardenedServer;
import svc.database.shared.Sql;

/** A project's further schemas: what its owner does with them. */
class SchemaStatementTest extends FurtherSchemaFixture {
    private static final String RESERVED_NAME = "42939";
    private static final String INVALID_NAME = "42602";
    private static final String NO_SCHEMA = "3F000";

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

    /** The operator's note stays, and its tenant does not see it. */
    @Test
    void theMainSchemaIsCommentedOn() throws Exception {
        String shown = tenant.fill("SELECT concat_ws('|', svc_views.obj_description(n.oid, 'pg_namespace'),"
                + " svc_views.obj_description(n.oid), (SELECT d.description FROM svc_views.pg_description d"
                + " WHERE d.objoid = n.oid)) FROM svc_views.pg_namespace n WHERE nspname = '$S'");
        String stored = tenant.fill("SELECT obj_description('$S'::regnamespace, 'pg_namespace')");
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, tenant.fill("COMMENT ON SCHEMA $S IS 'svc: default privileges given'"));
        }
        assertThat(Sql.value(owner, shown)).isEmpty();
        for (String comment : List.of("it''s mine", "of\ntwo lines", "svc: default privileges given")) {
            Sql.run(owner, "CALL svc_statements.comment_on_schema('public', '" + comment + "')");
            String plain = comment.replace("''", "'");
            assertThat(Sql.value(owner, shown)).isEqualTo(String.join("|", plain, plain, plain));
            try (Connection superuser = HardenedServer.superuser()) {
                assertThat(Sql.value(superuser, stored)).isEqualTo(plain + "\nsvc: default privileges given");
            }
        }
        Sql.run(owner, "CALL svc_statements.comment_on_schema('public', NULL)");
        assertThat(Sql.value(owner, shown)).isEmpty();
        assertThat(state("CALL svc_statements.comment_on_schema('auth', 'mine')"))
                .isEqualTo(NO_SCHEMA);
        assertThat(state("COMMENT ON SCHEMA $S IS 'by itself'")).isNotEqualTo("00000");
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
