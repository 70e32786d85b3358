package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.project.companion.CompanionSchema;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Row security, forced or not, holds for callers and not for the owner, as for Supabase's {@code postgres}. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ForcedRowSecurityTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "forced");
    }

    private Http.Answer send(String query, String sql) {
        return api.send(
                "POST",
                project.path() + query,
                JSON.createObjectNode().put("query", sql).toString());
    }

    private JsonNode rows(String query, String sql) {
        Http.Answer answer = send(query, sql);
        assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(201);
        return answer.json();
    }

    @Test
    void aHelperOfTheOwnerReadsATableWhoseRowSecurityIsForced() {
        rows("", """
                CREATE TABLE public.members (org int, person text);
                ALTER TABLE public.members ENABLE ROW LEVEL SECURITY;
                ALTER TABLE public.members FORCE ROW LEVEL SECURITY;
                CREATE FUNCTION public.is_member(o int) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
                SET search_path = '' AS $$ SELECT exists (SELECT FROM public.members m WHERE m.org = o) $$;
                CREATE POLICY own ON public.members FOR SELECT TO authenticated USING (public.is_member(org) AND org < 2);
                INSERT INTO public.members VALUES (1, 'ada'), (2, 'bob');
                """);
        assertThat(rows("", "SELECT person FROM public.members")).hasSize(2);
        assertThat(rows("?as=authenticated", "SELECT person FROM public.members")
                        .toString())
                .isEqualTo("[{\"person\":\"ada\"}]");
        assertThat(rows("?as=anon", "SELECT person FROM public.members")).isEmpty();
        assertThat(rows("?as=anon", "SELECT public.is_member(2) AS x").toString())
                .isEqualTo("[{\"x\":true}]");
        rows("", "UPDATE public.members SET person = 'eve' WHERE org = 2; DELETE FROM public.members WHERE org = 1");
        assertThat(rows("", "SET ROLE anon; SELECT person FROM public.members")).isEmpty();
        assertThat(rows("", "SELECT person FROM public.members").toString()).isEqualTo("[{\"person\":\"eve\"}]");
    }

    /**
     * On all of the server: what an owner is granted on a table with row security that is not its own, a policy gives it
     * without condition. So nothing is kept from an owner by a policy alone.
     */
    @Test
    void noTableOfThePlatformReliesOnRowSecurityAgainstOwners() {
        for (CompanionSchema service : CompanionSchema.values()) {
            project.owner().complete(service);
        }
        String owner = project.owner().names().role(DatabaseRole.OWNER).name();
        String granted = """
                WITH guarded AS (
                    SELECT c.oid, c.oid::regclass::text AS name, p.privilege, p.command
                    FROM pg_class c, (VALUES ('SELECT', 'r'), ('INSERT', 'a'), ('UPDATE', 'w'), ('DELETE', 'd'))
                        AS p (privilege, command)
                    WHERE c.relrowsecurity AND c.relowner <> '$O'::regrole AND CASE p.privilege
                        WHEN 'DELETE' THEN has_table_privilege('$O', c.oid, 'DELETE')
                        ELSE has_any_column_privilege('$O', c.oid, p.privilege) END)
                SELECT string_agg(g.name || ' ' || g.privilege, ', ' ORDER BY 1) FROM guarded g
                WHERE %s EXISTS (
                    SELECT FROM pg_policy o
                    WHERE o.polrelid = g.oid AND o.polpermissive AND o.polroles = ARRAY['$O'::regrole::oid]
                        AND o.polcmd IN ('*', g.command::"char")
                        AND coalesce(pg_get_expr(CASE g.command WHEN 'a' THEN o.polwithcheck ELSE o.polqual END, g.oid), 'true')
                            = 'true')""".replace("$O", owner);
        assertThat(project.owner().ask(granted.formatted("NOT"))).isNull();
        assertThat(project.owner().ask(granted.formatted("")).split(", "))
                .as("they are there")
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(project.owner()
                        .ask(
                                "SELECT string_agg(c.oid::regclass::text, ', ') FROM pg_class c WHERE c.relforcerowsecurity"
                                        + " AND c.relowner = 'svc_companion'::regrole"))
                .isNull();
    }

    @Test
    void whatIsNotGrantedStaysClosed() {
        project.owner().completeAuth();
        for (String sql : List.of(
                "SELECT secret FROM auth.mfa_factors",
                "SELECT * FROM auth.one_time_tokens",
                "SELECT * FROM auth.flow_state",
                "UPDATE auth.sessions SET user_id = user_id",
                "SELECT * FROM svc_guard.setting",
                "ALTER TABLE auth.users NO FORCE ROW LEVEL SECURITY",
                "DO $$ BEGIN EXECUTE 'SET row_security = off'; EXECUTE 'UPDATE storage.objects SET name = name'; END $$",
                "DO $$ BEGIN EXECUTE 'DELETE FROM realtime.messages'; END $$")) {
            assertThat(send("", sql).status()).as(sql).isEqualTo(400);
        }
        // Of another project nothing is granted, with row security or without.
        TestingProject other = TestingProject.create(client, tenants, "other");
        String neighbour = other.owner().names().schemaName();
        other.owner()
                .asOperator("SET SESSION AUTHORIZATION " + other.owner().login() + "; CREATE TABLE " + neighbour
                        + ".kept (id int); ALTER TABLE " + neighbour + ".kept ENABLE ROW LEVEL SECURITY");
        Http.Answer read = send("", "DO $$ BEGIN EXECUTE 'TABLE ' || '" + neighbour + ".kept'; END $$");
        assertThat(read.status()).as(read.toString()).isEqualTo(400);
        assertThat(read.json().path("sqlstate").asText()).isEqualTo("42501");
    }
}
