package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** SQL written for Supabase runs on a shared database and has the same effect. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class FamiliarNamesRunTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String PROFILES = """
            -- Profiles of users
            create table public.profiles (
              id uuid not null references auth.users on delete cascade primary key,
              username text unique,
              constraint username_length check (char_length(username) >= 3)
            );
            alter table public.profiles enable row level security;
            create policy "Public profiles are viewable by everyone." on public.profiles for select using (true);
            create policy "Users can insert their own profile." on public.profiles
              for insert to authenticated with check ((select auth.uid()) = id);
            create policy "Users can update own profile." on public.profiles
              for update to authenticated using ((select auth.uid()) = id);
            grant select on table public.profiles to anon, authenticated, service_role;

            create or replace function public.handle_new_user()
            returns trigger
            language plpgsql
            security definer set search_path = ''
            as $$
            declare
              made public.profiles%rowtype;
              holder auth.users.id%type := new.id;
            begin
              insert into public.profiles (id, username)
              values (holder, new.raw_user_meta_data ->> 'username')
              returning * into made;
              return new;
            end;
            $$;
            create trigger on_auth_user_created
              after insert on auth.users
              for each row execute procedure public.handle_new_user();
            """;

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "names");
    }

    private Http.Answer run(String sql) {
        return api.send(
                "POST",
                project.path(),
                JSON.createObjectNode().put("query", sql).toString());
    }

    private JsonNode rows(String sql) {
        Http.Answer answer = run(sql);
        assertThat(answer.status()).as(sql + " → " + answer).isEqualTo(201);
        return answer.json();
    }

    private String real(String suffix) {
        return project.owner().names().schemaName() + suffix;
    }

    @Test
    void aProfileIsMadeForANewUser() {
        rows(PROFILES);
        project.owner()
                .asOperator("INSERT INTO " + real("_auth") + ".users (id, email, raw_user_meta_data) VALUES"
                        + " ('00000000-0000-0000-0000-000000000001', 'a@b.c', '{\"username\": \"agent\"}')");
        assertThat(rows("SELECT username FROM public.profiles JOIN auth.users USING (id)")
                        .toString())
                .isEqualTo("[{\"username\":\"agent\"}]");
        assertThat(rows("SELECT polname FROM pg_catalog.pg_policy WHERE polrelid = 'public.profiles'::regclass"))
                .hasSize(3);
        assertThat(project.owner().ask("SELECT count(*) FROM " + real(".profiles")))
                .isEqualTo("1");
    }

    @Test
    void theCatalogIsFoundByFamiliarNamesAndShowsRealOnes() {
        rows("CREATE TABLE public.todos (id serial PRIMARY KEY, title text); REVOKE DELETE ON public.todos FROM anon;"
                + " COMMENT ON TABLE public.todos IS 'things'; ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public"
                + " GRANT SELECT ON TABLES TO authenticated; CREATE TABLE public.later ()");
        assertThat(rows("SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema = 'public'"
                                + " AND table_name = 'todos'")
                        .toString())
                .isEqualTo("[{\"table_schema\":\"" + real("") + "\",\"table_name\":\"todos\"}]");
        JsonNode row = rows("SELECT to_regclass('public.todos') IS NOT NULL AS known,"
                        + " has_table_privilege('anon', 'public.todos', 'SELECT') AS reads,"
                        + " has_table_privilege('anon', 'public.todos', 'DELETE') AS deletes,"
                        + " has_table_privilege('authenticated', 'public.later', 'SELECT') AS later,"
                        + " has_schema_privilege('anon', 'public', 'USAGE') AS uses,"
                        + " pg_get_serial_sequence('public.todos', 'id') = 'x' AS x,"
                        + " nextval('public.todos_id_seq') AS next, current_user = 'postgres' AS owner,"
                        + " pg_catalog.pg_table_size('public.todos') >= 0 AS sized,"
                        + " pg_catalog.obj_description('public.todos'::regclass, 'pg_class') AS told,"
                        + " (SELECT count(*) FROM pg_description d WHERE d.classoid = 'pg_class'::regclass"
                        + "   AND d.classoid = 'pg_catalog.pg_class'::regclass"
                        + "   AND d.objoid = 'public.todos'::regclass) AS described,"
                        + " EXISTS (SELECT FROM pg_roles WHERE rolname = 'service_role') AS role,"
                        + " EXISTS (SELECT FROM pg_tables WHERE schemaname IN ('public') AND tablename = 'todos') AS listed,"
                        + " EXISTS (SELECT FROM pg_namespace WHERE nspname = ANY (ARRAY['auth'])) AS companion")
                .get(0);
        assertThat(row.toString())
                .isEqualTo("{\"known\":true,\"reads\":true,\"deletes\":false,\"later\":true,\"uses\":true,\"x\":false,"
                        + "\"next\":1,\"owner\":true,\"sized\":true,\"told\":\"things\",\"described\":1,\"role\":true,"
                        + "\"listed\":true,\"companion\":true}");
    }

    @Test
    void blocksThatAskFirstWork() {
        String sql = """
                DO $$ BEGIN
                  IF NOT EXISTS (SELECT 1 FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
                                 WHERE n.nspname = 'public' AND t.typname = 'mood') THEN
                    CREATE TYPE public.mood AS ENUM ('sad', 'ok');
                  END IF;
                  IF NOT EXISTS (SELECT 1 FROM information_schema.columns
                                 WHERE table_schema = 'public' AND table_name = 'notes' AND column_name = 'mood') THEN
                    EXECUTE 'CREATE TABLE public.notes (id int, mood public.mood)';
                  END IF;
                  IF NOT EXISTS (SELECT 1 FROM pg_policies WHERE schemaname = 'public' AND tablename = 'notes') THEN
                    CREATE POLICY own ON public.notes TO authenticated USING (auth.uid() IS NOT NULL);
                  END IF;
                END $$;""";
        rows(sql);
        rows(sql);
        assertThat(rows("SELECT roles::text = '{" + real("_authenticated") + "}' AS own FROM pg_policies"
                                + " WHERE 'authenticated' = ANY (roles)")
                        .toString())
                .isEqualTo("[{\"own\":true}]");
    }

    @Test
    void aFunctionWithAnEmptySearchPathReadsTheCatalog() {
        rows("CREATE FUNCTION public.tables() RETURNS bigint LANGUAGE sql SET search_path = '' AS"
                + " 'SELECT count(*) FROM pg_tables WHERE schemaname = ''public'''");
        rows("CREATE TABLE public.one ()");
        assertThat(rows("SELECT public.tables() AS n").toString()).isEqualTo("[{\"n\":1}]");
        rows("CREATE FUNCTION public.unqualified() RETURNS int LANGUAGE plpgsql SET search_path = public AS"
                + " $$ BEGIN CREATE TABLE IF NOT EXISTS two (id int); RETURN (SELECT count(*) FROM two); END $$");
        assertThat(rows("SELECT public.unqualified() AS n").toString()).isEqualTo("[{\"n\":0}]");
    }

    @Test
    void errorsNameTheCallersNamesAndPlaces() {
        JsonNode missing = run("SELECT 'ä😀', auth.uid();\nSELECT id\n  FROM public.nothere")
                .json();
        assertThat(missing.get("detail").asText()).contains("\"public.nothere\" does not exist");
        assertThat(missing.get("sqlstate").asText()).isEqualTo("42P01");
        assertThat(missing.get("line").asInt()).isEqualTo(3);
        assertThat(missing.get("column").asInt()).isEqualTo(8);
        JsonNode body = run("CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS $$\n"
                        + "  SELECT a FROM public.nothere $$")
                .json();
        assertThat(body.get("line").asInt()).isEqualTo(2);
        assertThat(body.get("column").asInt()).isEqualTo(17);
        JsonNode denied =
                run("INSERT INTO auth.users (id) VALUES (gen_random_uuid())").json();
        assertThat(denied.toString()).doesNotContain("proj_");
        JsonNode inBlock =
                run("DO $$\nBEGIN\n  PERFORM * FROM public.nothere;\nEND $$").json();
        assertThat(inBlock.get("where").asText()).contains("line 3").doesNotContain("proj_");
        JsonNode noSchema = run("SELECT 1 FROM other.t").json();
        assertThat(noSchema.get("sqlstate").asText()).isEqualTo("42P01");
        assertThat(noSchema.get("detail").asText()).contains("\"other.t\" does not exist");
        JsonNode refused = run("SELECT 1 FROM public.t, graphql.t").json();
        assertThat(refused.get("code").asText()).isEqualTo("sql_forbidden_object");
        assertThat(refused.get("column").asInt()).isEqualTo(25);
        assertThat(refused.toString()).doesNotContain("proj_");
    }
}
