package svc.sqlgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.name.ProjectNames;
import svc.database.shared.ExtensionAnswers;
import svc.database.shared.ExtensionAnswers.Answer;

/** Every extension has an answer; those that a project has by itself are made and dropped by functions of the platform. */
class ExtensionsTest {
    private static final ProjectNames NAMES =
            ProjectNames.shared(UUID.fromString("0f0e0d0c-0b0a-0908-0706-050403020100"));

    private static final ScriptGate GATE = SharedGate.gate();

    /** The names of Supabase's catalog, and those that migrations carry beside. */
    private static final List<String> CATALOG = List.of(
            "address_standardizer",
            "address_standardizer_data_us",
            "adminpack",
            "amcheck",
            "autoinc",
            "bloom",
            "btree_gin",
            "btree_gist",
            "citext",
            "cube",
            "dblink",
            "dict_int",
            "dict_xsyn",
            "earthdistance",
            "fuzzystrmatch",
            "hstore",
            "http",
            "hypopg",
            "index_advisor",
            "insert_username",
            "intagg",
            "intarray",
            "isn",
            "lo",
            "ltree",
            "moddatetime",
            "old_snapshot",
            "orioledb",
            "pageinspect",
            "pg_backtrace",
            "pg_buffercache",
            "pg_cron",
            "pg_freespacemap",
            "pg_graphql",
            "pg_hashids",
            "pg_jsonschema",
            "pg_net",
            "pg_partman",
            "pg_prewarm",
            "pg_repack",
            "pg_stat_monitor",
            "pg_stat_statements",
            "pg_surgery",
            "pg_tle",
            "pg_trgm",
            "pg_visibility",
            "pg_walinspect",
            "pgaudit",
            "pgcrypto",
            "pgjwt",
            "pgmq",
            "pgroonga",
            "pgrouting",
            "pgrowlocks",
            "pgsodium",
            "pgstattuple",
            "pgtap",
            "plcoffee",
            "plls",
            "plpgsql",
            "plpgsql_check",
            "plv8",
            "postgis",
            "postgis_raster",
            "postgis_sfcgal",
            "postgis_tiger_geocoder",
            "postgis_topology",
            "postgres_fdw",
            "refint",
            "rum",
            "seg",
            "sslinfo",
            "supabase_vault",
            "tablefunc",
            "tcn",
            "timescaledb",
            "tsm_system_rows",
            "tsm_system_time",
            "unaccent",
            "uuid-ossp",
            "vault",
            "vector",
            "wrappers",
            "xml2");

    private static Verdict judge(String sql) {
        return GATE.judge(sql, NAMES);
    }

    private static String sent(String sql) {
        Verdict verdict = judge(sql);
        assertThat(verdict).as(sql).isInstanceOf(Verdict.Admitted.class);
        return ((Verdict.Admitted) verdict).script().text().replace(NAMES.schemaName(), "$S");
    }

    static Stream<String> everyName() {
        return Stream.concat(CATALOG.stream(), ExtensionAnswers.all().keySet().stream())
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("everyName")
    void everyNameHasAnAnswer(String name) {
        assertThat(ExtensionAnswers.all()).containsKey(name);
        String sql = "CREATE EXTENSION IF NOT EXISTS \"" + name + "\" WITH SCHEMA extensions CASCADE";
        switch (ExtensionAnswers.of(name)) {
            case Answer.Installed installed ->
                assertThat(sent(sql)).isEqualTo("CREATE EXTENSION IF NOT EXISTS \"" + name + "\"");
            case Answer.Administrators optional ->
                assertThat(sent(sql)).isEqualTo("CALL svc_statements.require_extension('" + name + "')");
            case Answer.OfProject own ->
                assertThat(sent(sql)).isEqualTo("CALL svc_statements.create_extension('" + name + "')");
            case Answer.Nothing nothing -> assertThat(sent(sql)).isEqualTo("DO 'BEGIN END'");
            case Answer.Refused refused -> {
                assertThat(refused.hint()).isNotEmpty();
                assertThat(judge(sql))
                        .isInstanceOfSatisfying(
                                Verdict.Rejected.class,
                                rejected -> assertThat(rejected.hint()).startsWith(refused.hint()));
                assertThat(sent("DO $$ BEGIN " + sql + "; EXCEPTION WHEN OTHERS THEN NULL; END $$"))
                        .startsWith("DO $$ BEGIN CALL svc_statements.refuse_extension('" + name + "', '");
            }
        }
    }

    static final String[][] TRANSLATED = {
        {"DROP EXTENSION pgmq", "CALL svc_statements.drop_extensions(ARRAY['pgmq'], false, false)"},
        {
            "DROP EXTENSION IF EXISTS pgmq, pg_unknown CASCADE",
            "CALL svc_statements.drop_extensions(ARRAY['pgmq'], true, true)"
        },
        {"DROP EXTENSION IF EXISTS timescaledb", "DO 'BEGIN END'"},
        {"ALTER EXTENSION pgmq UPDATE", "DO 'BEGIN END'"},
        {"ALTER EXTENSION pgmq SET SCHEMA extensions", "DO 'BEGIN END'"},
        {"COMMENT ON EXTENSION pgmq IS 'queues'", "DO 'BEGIN END'"},
        {"GRANT EXECUTE ON FUNCTION pgmq.send(text, jsonb, integer) TO service_role", "DO 'BEGIN END'"},
        {
            "DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pgmq; END $$",
            "DO $$ BEGIN CALL svc_statements.create_extension('pgmq'); END $$"
        },
        {
            "DO $$ BEGIN EXECUTE 'create extension pgmq'; END $$",
            "DO $$ BEGIN EXECUTE svc_functions.own_names(('create extension pgmq')::pg_catalog.text); END $$"
        },
        {
            "SELECT * FROM pgmq.send('q', '{}'), pgmq.q_jobs j, pgmq.meta WHERE pgmq.q_jobs.msg_id = 1",
            "SELECT * FROM svc_pgmq.send('q', '{}'), $S__pgmq.q_jobs j, $S__pgmq.meta WHERE $S__pgmq.q_jobs.msg_id = 1"
        },
        {
            "CREATE FUNCTION f() RETURNS SETOF pgmq.message_record LANGUAGE plpgsql AS $$ DECLARE m pgmq.message_record;"
                    + " n pgmq.q_jobs%ROWTYPE; BEGIN SELECT * INTO m FROM pgmq.read('q', 1, 1); PERFORM pgmq.archive('q', m.msg_id); END $$",
            "CREATE FUNCTION f() RETURNS SETOF svc_pgmq.message_record LANGUAGE plpgsql AS $$ DECLARE m svc_pgmq.message_record;"
                    + " n $S__pgmq.q_jobs%ROWTYPE; BEGIN SELECT * INTO m FROM svc_pgmq.read('q', 1, 1); PERFORM svc_pgmq.archive('q', m.msg_id); END $$"
        },
        {
            "CREATE SCHEMA pgmq_public; GRANT USAGE ON SCHEMA pgmq TO anon",
            "CALL svc_statements.create_schema('pgmq_public', false, '{}');"
                    + " CALL svc_statements.grant_on_schemas(ARRAY['pgmq'], ARRAY['$S_anon'], true)"
        },
        {
            "ALTER TABLE pgmq.q_jobs ENABLE ROW LEVEL SECURITY; SELECT 'pgmq.q_jobs'::regclass, 'pgmq.send'::regproc",
            "ALTER TABLE $S__pgmq.q_jobs ENABLE ROW LEVEL SECURITY; SELECT '$S__pgmq.q_jobs'::regclass, 'svc_pgmq.send'::regproc"
        },
    };

    @ParameterizedTest
    @FieldSource("TRANSLATED")
    void isTranslated(String sql, String expected) {
        assertThat(sent(sql)).isEqualTo(expected);
    }

    static final String[] REFUSED = {
        "DROP EXTENSION timescaledb",
        "DROP EXTENSION IF EXISTS pgmq, pgcrypto",
        "ALTER EXTENSION pgcrypto UPDATE",
        "ALTER TABLE pgmq.send ADD COLUMN a int",
        "SELECT * FROM proj_00000000000000000000000000000001__pgmq.q_jobs",
    };

    @ParameterizedTest
    @FieldSource("REFUSED")
    void isRefused(String sql) {
        assertThat(judge(sql)).as(sql).isInstanceOf(Verdict.Rejected.class);
    }

    @Test
    void inADatabaseOfItsOwnQueuesStandInTheirOwnSchema() {
        Verdict verdict =
                GATE.judge("SELECT pgmq.send('q', '{}') FROM pgmq.q_q", ProjectNames.dedicated(NAMES.projectId()));
        assertThat(((Verdict.Admitted) verdict).script().text())
                .isEqualTo("SELECT svc_pgmq.send('q', '{}') FROM pgmq.q_q");
    }
}
