package svc.database.shared.idempotence;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import svc.database.shared.HardenedServer;
import svc.database.shared.HardeningReport;
import svc.database.shared.Sql;

class SecondRunTest {
    /** A change that damages the hardened database, and the object that the report must name. */
    private record Drift(String statement, String reported) {}

    private static final List<Drift> DRIFTS = List.of(
            new Drift("GRANT EXECUTE ON FUNCTION pg_catalog.pg_ls_dir(text) TO PUBLIC", "function pg_ls_dir(text)"),
            new Drift(
                    "GRANT EXECUTE ON FUNCTION pg_catalog.lo_create(oid) TO svc_replication",
                    "function lo_create(oid)"),
            new Drift("REVOKE EXECUTE ON FUNCTION pg_catalog.lower(text) FROM PUBLIC", "function lower(text)"),
            new Drift("GRANT SELECT ON pg_catalog.pg_proc TO PUBLIC", "relation pg_proc"),
            new Drift("GRANT SELECT (subname) ON pg_catalog.pg_subscription TO PUBLIC", "relation pg_subscription"),
            new Drift("GRANT SELECT ON pg_catalog.pg_authid TO svc_catalog", "relation pg_authid"),
            new Drift("REVOKE SELECT ON pg_catalog.pg_type FROM svc_catalog", "relation pg_type"),
            new Drift("GRANT USAGE ON SCHEMA information_schema TO PUBLIC", "schema information_schema"),
            new Drift("GRANT ALL ON SCHEMA public TO PUBLIC", "schema public"),
            new Drift("GRANT USAGE ON SCHEMA svc_guard TO PUBLIC", "schema svc_guard"),
            new Drift("REVOKE USAGE ON SCHEMA svc_views FROM PUBLIC", "schema svc_views"),
            new Drift("GRANT TEMP ON DATABASE postgres TO PUBLIC", "database postgres"),
            new Drift(
                    "REVOKE TEMP ON DATABASE " + HardenedServer.DATABASE + " FROM PUBLIC",
                    "database " + HardenedServer.DATABASE),
            new Drift("GRANT CONNECT ON DATABASE template1 TO PUBLIC", "database template1"),
            new Drift("DROP EVENT TRIGGER svc_guard_drop", "event trigger svc_guard_drop"),
            new Drift("ALTER EVENT TRIGGER svc_guard_command DISABLE", "event trigger svc_guard_command"),
            new Drift("ALTER EVENT TRIGGER svc_guard_command ENABLE", "event trigger svc_guard_command"),
            new Drift("DROP VIEW svc_views.pg_policies", "view svc_views.pg_policies"),
            new Drift("REVOKE SELECT ON svc_views.pg_class FROM PUBLIC", "view svc_views.pg_class"),
            new Drift("ALTER VIEW svc_views.pg_class RESET (security_barrier)", "view svc_views.pg_class"),
            new Drift("GRANT SELECT ON svc_guard.setting TO svc_catalog", "relation svc_guard.setting"),
            new Drift(
                    "ALTER FUNCTION svc_views.pg_get_expr(pg_node_tree, oid) RESET search_path",
                    "function svc_views.pg_get_expr(pg_node_tree,oid)"),
            new Drift(
                    "ALTER FUNCTION svc_guard.check_drop() OWNER TO svc_companion", "function svc_guard.check_drop()"),
            new Drift(
                    "CREATE OR REPLACE FUNCTION svc_guard.check_command() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'",
                    "function svc_guard.check_command()"),
            new Drift(
                    "CREATE OR REPLACE FUNCTION svc_functions.auth_uid() RETURNS uuid LANGUAGE sql STABLE RETURN NULL::uuid",
                    "function svc_functions.auth_uid()"),
            new Drift(
                    "ALTER FUNCTION svc_functions.auth_jwt() SECURITY DEFINER SET search_path = x",
                    "function svc_functions.auth_jwt()"),
            new Drift(
                    "ALTER FUNCTION svc_functions.auth_role() OWNER TO svc_companion",
                    "function svc_functions.auth_role()"),
            new Drift(
                    "REVOKE EXECUTE ON FUNCTION svc_functions.storage_filename(text) FROM PUBLIC",
                    "function svc_functions.storage_filename(text)"),
            new Drift("DROP FUNCTION svc_auth.uid()", "function svc_auth.uid()"),
            new Drift(
                    "CREATE OR REPLACE FUNCTION svc_auth.uid() RETURNS uuid LANGUAGE sql STABLE RETURN NULL::uuid",
                    "function svc_auth.uid()"),
            new Drift("ALTER FUNCTION svc_auth.jwt() SECURITY DEFINER SET search_path = x", "function svc_auth.jwt()"),
            new Drift("ALTER FUNCTION svc_auth.role() OWNER TO svc_companion", "function svc_auth.role()"),
            new Drift(
                    "REVOKE EXECUTE ON FUNCTION svc_storage.filename(text) FROM PUBLIC",
                    "function svc_storage.filename(text)"),
            new Drift("GRANT CREATE ON SCHEMA svc_auth TO PUBLIC", "schema svc_auth"),
            new Drift("REVOKE USAGE ON SCHEMA svc_functions FROM PUBLIC", "schema svc_functions"),
            new Drift("GRANT CREATE ON SCHEMA svc_functions TO PUBLIC", "schema svc_functions"),
            new Drift("GRANT CREATE ON SCHEMA svc_statements TO PUBLIC", "schema svc_statements"),
            new Drift(
                    "GRANT EXECUTE ON FUNCTION svc_guard.policy_condition(text, text) TO PUBLIC",
                    "function svc_guard.policy_condition(text,text)"),
            new Drift(
                    "ALTER PROCEDURE svc_statements.drop_policy(text, text, boolean) RESET search_path",
                    "function svc_statements.drop_policy(text,text,boolean)"),
            new Drift("GRANT INSERT ON svc_guard.exempt_command TO PUBLIC", "relation svc_guard.exempt_command"),
            new Drift(
                    "ALTER TABLE svc_net.queued_request DROP COLUMN claimed_until, DROP COLUMN tried_at",
                    "table svc_net.queued_request"),
            new Drift("ALTER TABLE svc_cron.stored_job DROP COLUMN last_run", "table svc_cron.stored_job"),
            new Drift("DROP PUBLICATION svc_realtime", "publication svc_realtime"),
            new Drift("ALTER PUBLICATION svc_realtime SET (publish = 'insert')", "publication svc_realtime"),
            new Drift("ALTER ROLE svc_catalog SUPERUSER", "role svc_catalog"),
            new Drift("ALTER ROLE svc_companion LOGIN", "role svc_companion"),
            new Drift("ALTER ROLE svc_platform PASSWORD 'guessed'", "role svc_platform"),
            new Drift("GRANT pg_read_all_data TO svc_catalog", "role svc_catalog"),
            new Drift("ALTER EXTENSION pg_trgm SET SCHEMA public", "extension pg_trgm"),
            new Drift("UPDATE svc_guard.setting SET value = 'other'", "setting notification_channel"));

    @Test
    void aSecondRunChangesNothing() throws Exception {
        assertThat(HardenedServer.harden(HardenedServer.DATABASE).changes()).isEmpty();
    }

    @Test
    void allowedExtensionsWithoutFilesAreReported() throws Exception {
        HardeningReport report = HardenedServer.harden(HardenedServer.DATABASE);
        try (Connection superuser = HardenedServer.superuser()) {
            for (String extension : report.unavailableExtensions()) {
                assertThat(Sql.column(
                                superuser, "SELECT name FROM pg_available_extensions WHERE name = '" + extension + "'"))
                        .isEmpty();
            }
            assertThat(Sql.column(superuser, "SELECT extname FROM pg_extension"))
                    .contains(
                            "citext", "pg_trgm", "unaccent", "btree_gin", "btree_gist", "ltree", "hstore", "pgcrypto");
        }
    }

    /** Drifts of different objects go together: each run of the hardening takes a second. */
    static List<Map<String, Drift>> driftsOfDifferentObjects() {
        List<Map<String, Drift>> groups = new ArrayList<>();
        for (Drift drift : DRIFTS) {
            groups.stream()
                    .filter(group -> !group.containsKey(drift.reported()))
                    .findFirst()
                    .orElseGet(() -> {
                        groups.add(new LinkedHashMap<>());
                        return groups.getLast();
                    })
                    .put(drift.reported(), drift);
        }
        return groups;
    }

    @ParameterizedTest
    @MethodSource("driftsOfDifferentObjects")
    void driftIsRepairedAndReported(Map<String, Drift> drifts) throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            for (Drift drift : drifts.values()) {
                Sql.run(superuser, drift.statement());
            }
        }
        HardeningReport report = HardenedServer.harden(HardenedServer.DATABASE);
        assertThat(report.changes()).extracting(HardeningReport.Change::name).containsAll(drifts.keySet());
        assertThat(HardenedServer.harden(HardenedServer.DATABASE).changes()).isEmpty();
    }

    @Test
    void whatRunsAsASuperuserIsOwnedByOne() throws Exception {
        try (Connection superuser = HardenedServer.superuser()) {
            Sql.run(superuser, "ALTER FUNCTION svc_guard.check_command() OWNER TO svc_companion");
            HardenedServer.harden(HardenedServer.DATABASE);
            assertThat(Sql.column(superuser, """
                            SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_authid a ON a.oid = p.proowner
                            WHERE p.pronamespace IN ('svc_guard'::regnamespace, 'svc_views'::regnamespace,
                                'svc_statements'::regnamespace) AND p.prosecdef AND NOT a.rolsuper""")).isEmpty();
        }
    }

    @Test
    void twoRunsAtOnceLeaveOneHardenedDatabase() throws Exception {
        String database = HardenedServer.SERVER.createDatabase("twice");
        Callable<HardeningReport> run = () -> HardenedServer.harden(database, Set.of(HardenedServer.DATABASE));
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            List<Future<HardeningReport>> reports = two.invokeAll(List.of(run, run));
            assertThat(List.of(
                            reports.get(0).get().isEmpty(), reports.get(1).get().isEmpty()))
                    .containsExactlyInAnyOrder(true, false);
        }
    }
}
