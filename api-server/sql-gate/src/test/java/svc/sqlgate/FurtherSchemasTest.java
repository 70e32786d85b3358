package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import svc.database.name.FurtherSchema;
import svc.database.name.ProjectNames;

/** What is sent instead of statements about schemas, and which of them are refused. */
class FurtherSchemasTest {
    private static final UUID ID = UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100");
    private static final ProjectNames NAMES = ProjectNames.shared(ID);
    private static final String ANON = NAMES.schemaName() + "_anon";

    private static final ScriptGate GATE = SharedGate.gate();

    private static String sent(String sql, ProjectNames names) {
        Verdict verdict = GATE.judge(sql, names);
        assertThat(verdict).as(sql).isInstanceOf(Verdict.Admitted.class);
        return ((Verdict.Admitted) verdict).script().text().replace(NAMES.schemaName(), "$S");
    }

    /** A statement, and what is sent for it. */
    static final String[][] TRANSLATED = {
        {"CREATE SCHEMA private", "CALL svc_statements.create_schema('private', false, '{}')"},
        {"create schema if not exists \"private\"", "CALL svc_statements.create_schema('private', true, '{}')"},
        {"CREATE SCHEMA PRIVATE AUTHORIZATION postgres", "CALL svc_statements.create_schema('private', false, '{}')"},
        {
            "CREATE SCHEMA IF NOT EXISTS api AUTHORIZATION CURRENT_USER",
            "CALL svc_statements.create_schema('api', true, '{}')"
        },
        {"CREATE SCHEMA IF NOT EXISTS public", "DO 'BEGIN END'"},
        {"DROP SCHEMA private", "CALL svc_statements.drop_schemas(ARRAY['private'], false, false)"},
        {
            "DROP SCHEMA IF EXISTS private, api CASCADE",
            "CALL svc_statements.drop_schemas(ARRAY['private', 'api'], true, true)"
        },
        {"ALTER SCHEMA private RENAME TO internal", "CALL svc_statements.rename_schema('private', 'internal')"},
        {"ALTER SCHEMA private OWNER TO postgres", "CALL svc_statements.keep_schema('private')"},
        {"COMMENT ON SCHEMA private IS 'it''s'", "CALL svc_statements.comment_on_schema('private', 'it''s')"},
        {"COMMENT ON SCHEMA private IS NULL", "CALL svc_statements.comment_on_schema('private', NULL)"},
        {"COMMENT ON SCHEMA public IS 'standard'", "CALL svc_statements.comment_on_schema('public', 'standard')"},
        {"COMMENT ON SCHEMA public IS NULL", "CALL svc_statements.comment_on_schema('public', NULL)"},
        {"COMMENT ON SCHEMA auth IS 'ours'", "DO 'BEGIN END'"},
        {
            "GRANT USAGE ON SCHEMA private, api TO anon, service_role",
            "CALL svc_statements.grant_on_schemas(ARRAY['private', 'api'], ARRAY['$S_anon', '$S_service'], true)"
        },
        {
            "GRANT ALL ON SCHEMA private TO postgres, authenticated",
            "CALL svc_statements.grant_on_schemas(ARRAY['private'], ARRAY['$S_authenticated'], true)"
        },
        {
            "GRANT USAGE ON SCHEMA public, private TO anon",
            "CALL svc_statements.grant_on_schemas(ARRAY['private'], ARRAY['$S_anon'], true)"
        },
        {
            "REVOKE ALL ON SCHEMA private FROM PUBLIC, anon",
            "CALL svc_statements.grant_on_schemas(ARRAY['private'], ARRAY['$S_anon'], false)"
        },
        {
            "REVOKE CREATE ON SCHEMA private FROM anon, PUBLIC",
            "CALL svc_statements.grant_on_schemas(ARRAY['private'], '{}', false)"
        },
        {
            "GRANT CREATE, USAGE ON SCHEMA private TO postgres",
            "CALL svc_statements.grant_on_schemas(ARRAY['private'], '{}', true)"
        },
        {
            "DO $$ BEGIN CREATE SCHEMA IF NOT EXISTS private; END $$",
            "DO $$ BEGIN CALL svc_statements.create_schema('private', true, '{}'); END $$"
        },
        {
            "CREATE SCHEMA app GRANT SELECT, INSERT ON v TO anon CREATE VIEW v AS SELECT (1) AS \"create\""
                    + " CREATE TABLE t (a int, b text DEFAULT 'create grant') CREATE INDEX ON t (a)",
            "CALL svc_statements.create_schema('app', false, ARRAY['CREATE TABLE t (a int, b text DEFAULT ''create grant'')',"
                    + " 'CREATE VIEW v AS SELECT (1) AS \"create\"', 'CREATE INDEX ON t (a)',"
                    + " 'GRANT SELECT, INSERT ON v TO $S_anon'])"
        },
    };

    @ParameterizedTest
    @FieldSource("TRANSLATED")
    void isSentAsACallOfThePlatform(String sql, String call) {
        assertThat(sent(sql, NAMES)).isEqualTo(call);
        assertThat(sent(sql, ProjectNames.dedicated(ID))).isEqualTo(call);
    }

    @Test
    void whatStandsBesideItIsMapped() {
        assertThat(sent("CREATE SCHEMA a; CREATE TABLE a.t (x int); SELECT * FROM a.t; DROP SCHEMA a CASCADE", NAMES))
                .isEqualTo("CALL svc_statements.create_schema('a', false, '{}'); CREATE TABLE $S__a.t (x int);"
                        + " SELECT * FROM $S__a.t; CALL svc_statements.drop_schemas(ARRAY['a'], false, true)");
    }

    static final String[] REFUSED = {
        "CREATE SCHEMA pg_private",
        "CREATE SCHEMA IF NOT EXISTS svc_views",
        "CREATE SCHEMA svc_guard",
        "CREATE SCHEMA proj_00000000000000000000000000000001",
        "CREATE SCHEMA proj_x",
        "CREATE SCHEMA information_schema",
        "CREATE SCHEMA vault",
        "CREATE SCHEMA cron",
        "CREATE SCHEMA auth",
        "CREATE SCHEMA \"Private\"",
        "CREATE SCHEMA \"my-app\"",
        "CREATE SCHEMA \"private\"\"; DROP SCHEMA x\"",
        "CREATE SCHEMA privé",
        "CREATE SCHEMA ｐｒｉｖａｔｅ",
        "CREATE SCHEMA U&\"priv\\00e9\"",
        "CREATE SCHEMA abcdefghijklmnopqrstuvwxy",
        "CREATE SCHEMA AUTHORIZATION postgres",
        "CREATE SCHEMA private AUTHORIZATION anon",
        "CREATE SCHEMA private AUTHORIZATION pg_monitor",
        "CREATE SCHEMA private CREATE TABLE pg_catalog.t (a int) CREATE VIEW svc_guard.v AS SELECT 1",
        "CREATE SCHEMA private CREATE VIEW v AS SELECT pg_read_file('x')",
        "CREATE SCHEMA private CREATE TABLE t (a int) TABLESPACE x",
        "CREATE SCHEMA private GRANT USAGE ON SCHEMA private TO anon",
        "CREATE SCHEMA private CREATE TABLE t (a int) GRANT SELECT ON t TO pg_monitor",
        "DROP SCHEMA auth CASCADE",
        "DROP SCHEMA private, public",
        "DROP SCHEMA proj_00000000000000000000000000000001__private",
        "DROP SCHEMA svc_guard CASCADE",
        "DROP SCHEMA IF EXISTS \"Private\"",
        "ALTER SCHEMA private RENAME TO auth",
        "ALTER SCHEMA private RENAME TO \"X\"",
        "ALTER SCHEMA public RENAME TO private",
        "ALTER SCHEMA svc_views RENAME TO private",
        "ALTER SCHEMA private OWNER TO anon",
        "COMMENT ON SCHEMA svc_guard IS 'x'",
        "GRANT USAGE ON SCHEMA private TO PUBLIC",
        "GRANT USAGE ON SCHEMA private TO pg_monitor",
        "GRANT USAGE ON SCHEMA private TO proj_00000000000000000000000000000001_anon",
        "GRANT USAGE ON SCHEMA private TO anon WITH GRANT OPTION",
        "GRANT CREATE ON SCHEMA private TO anon",
        "GRANT USAGE ON SCHEMA private, svc_guard TO anon",
        "GRANT ALL ON SCHEMA private, public TO anon",
        "REVOKE USAGE ON SCHEMA private, public FROM anon",
        "REVOKE GRANT OPTION FOR USAGE ON SCHEMA private FROM anon",
        "GRANT SELECT ON ALL TABLES IN SCHEMA svc_guard TO anon",
        "ALTER TABLE t SET SCHEMA \"Private\"",
        "SELECT * FROM \"Private\".t",
        "ALTER TABLE cron.job ADD COLUMN a int",
        "ALTER TABLE vault.secrets ADD COLUMN a int",
        "SELECT * FROM abcdefghijklmnopqrstuvwxy.t",
        "SELECT * FROM proj_00000000000000000000000000000001__private.t",
        "SELECT * FROM svc_statements.x; CALL svc_statements.drop_schemas('{private}', true, true)",
        "ALTER PUBLICATION supabase_realtime ADD TABLE private.t",
        "ALTER PUBLICATION supabase_realtime ADD TABLES IN SCHEMA private",
        "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'CREATE SCHEMA private'",
    };

    @ParameterizedTest
    @FieldSource("REFUSED")
    void isRefused(String sql) {
        Verdict verdict = GATE.judge(sql, NAMES);
        assertThat(verdict).as(sql).isInstanceOf(Verdict.Rejected.class);
        var rejected = (Verdict.Rejected) verdict;
        assertThat(rejected.hint()).isNotEmpty();
        // The parts that name no other project say nothing of how names are made.
        assertThat(rejected.what() + rejected.hint()).doesNotContain(NAMES.schemaName());
    }

    @Test
    void noNameThatPassesIsAnothers() {
        for (String name : new String[] {"owner", "anon", "_auth", "__private", "a", ANON.substring(0, 4)}) {
            assertThat(FurtherSchema.isName(name)).as(name).isTrue();
            assertThat(sent("SELECT * FROM " + name + ".t", NAMES)).isEqualTo("SELECT * FROM $S__" + name + ".t");
        }
    }
}
