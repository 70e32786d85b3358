package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.Program;
import svc.e2e.running.SharedPlatform;

/** A branch is a project with the migrations of another, and what is tried in it reaches the other by a merge alone. */
@ExtendWith(SharedPlatform.class)
class BranchesTest {
    private static final String TODOS = """
            create table public.todos (id bigint generated always as identity primary key, title text not null);
            alter table public.todos enable row level security;
            create policy "anyone reads" on public.todos for select to anon using (true);
            insert into public.todos (title) values ('of the migration');
            insert into storage.buckets (id, name) values ('pictures', 'pictures');
            create function public.shout(text) returns text language sql set search_path = '' as $$ select upper($1) $$;
            """;

    private Platform platform;
    private ControlPlane api;
    private String ref;

    @BeforeEach
    void parent(Platform platform) throws IOException {
        this.platform = platform;
        this.api = platform.controlPlane();
        this.ref = api.create("parent").get("ref").asText();
        migrate(ref, "20300101000000", TODOS);
    }

    private void migrate(String project, String version, String sql) throws IOException {
        api.post("/projects/" + project + "/database/migrations", Map.of("version", version, "query", sql))
                .expect(200);
    }

    private JsonNode branch(String name, Map<String, ?> others) throws IOException {
        Map<String, Object> body = new HashMap<>(others);
        body.put("branch_name", name);
        return api.post("/projects/" + ref + "/branches", body).expect(201).json();
    }

    private Answer call(JsonNode branch, String path) throws IOException {
        return api.post("/branches/" + branch.get("id").asText() + path, Map.of());
    }

    private String titles(String project) throws IOException {
        return api.query(project, "select coalesce(string_agg(title, ',' order by title), '') as titles from todos")
                .expect(201)
                .json()
                .at("/0/titles")
                .asText();
    }

    private static String ref(JsonNode branch) {
        return branch.get("project_ref").asText();
    }

    private static Answer delete(Platform platform, String path) throws IOException {
        return ControlPlane.send(HttpRequest.newBuilder(
                        URI.create(platform.connection().baseUrl() + path))
                .header("Authorization", "Bearer " + platform.connection().token())
                .DELETE());
    }

    private int migrations(String project) throws IOException {
        return api.get("/projects/" + project + "/database/migrations")
                .expect(200)
                .json()
                .size();
    }

    @Test
    void itsMigrationsReachTheProjectByAMerge() throws Exception {
        api.query(ref, "insert into todos (title) values ('of the project')").expect(201);
        JsonNode branch = branch("feature", Map.of("seed", "insert into public.todos (title) values ('of the seed')"));
        assertThat(branch.get("status").asText()).as(branch.toString()).isEqualTo("MIGRATIONS_PASSED");
        assertThat(branch.get("parent_project_ref").asText()).isEqualTo(ref);
        assertThat(titles(ref(branch))).isEqualTo("of the migration,of the seed");
        assertThat(Program.kubectl(
                        platform,
                        "get",
                        "project",
                        ref(branch),
                        "--namespace",
                        "svc",
                        "--output",
                        "jsonpath={.spec.branchOf}"))
                .isEqualTo(ref);

        migrate(
                ref(branch),
                "20300102000000",
                "alter table public.todos add column done boolean not null default false");
        assertThat(api.get("/branches/" + ref(branch) + "/diff").expect(200).body())
                .contains("add column done")
                .doesNotContain("create table");
        migrate(ref(branch), "20300103000000", "create table public.later (id int)");
        assertThat(api.post("/branches/" + ref(branch) + "/merge", Map.of("migration_version", "20300102000000"))
                        .expect(201)
                        .json()
                        .get("migrations")
                        .toString())
                .isEqualTo("[\"20300102000000\"]");
        api.query(ref, "select done from todos").expect(201);
        assertThat(titles(ref)).isEqualTo("of the migration,of the project");
        assertThat(migrations(ref)).isEqualTo(2);
        assertThat(call(branch, "/merge").expect(201).json().get("migrations").toString())
                .isEqualTo("[\"20300103000000\"]");
        assertThat(call(branch, "/merge").expect(201).json().get("migrations")).isEmpty();

        String organization =
                api.get("/organizations").expect(200).json().at("/0/slug").asText();
        for (String project : List.of(ref, ref(branch))) {
            assertThat(api.get("/organizations/" + organization + "/projects?search=" + project)
                            .expect(200)
                            .json()
                            .at("/projects/0/is_branch")
                            .asBoolean())
                    .isEqualTo(project.equals(ref(branch)));
        }

        assertThat(api.get("/projects/" + ref + "/branches").expect(200).json()).hasSize(1);
        assertThat(api.get("/projects/" + ref + "/branches/feature")
                        .expect(200)
                        .json()
                        .get("id"))
                .isEqualTo(branch.get("id"));
        String audit = api.get("/projects/" + ref + "/audit").body();
        assertThat(audit).contains("create branch " + ref(branch), "merge branch " + ref(branch));
    }

    @Test
    void aConflictAppliesNothingAndARebaseResolvesIt() throws Exception {
        JsonNode branch = branch("conflict", Map.of());
        migrate(ref(branch), "20300102000000", "create table public.first (id int)");
        migrate(ref(branch), "20300103000000", "create table public.extra (id int)");
        api.query(ref, "create table public.extra (id int)").expect(201);
        JsonNode refused = call(branch, "/merge").expect(409).json();
        assertThat(refused.get("code").asText()).isEqualTo("branch_conflict");
        assertThat(refused.get("message").asText()).contains("20300103000000", "already exists");
        assertThat(migrations(ref)).isEqualTo(1);
        api.query(ref, "select * from public.first").expect(400);

        api.query(ref, "drop table public.extra").expect(201);
        migrate(ref, "20300104000000", "create table public.later (id int)");
        assertThat(call(branch, "/merge").expect(409).json().get("hint").asText())
                .contains("Rebase");
        assertThat(call(branch, "/push").expect(201).json().at("/branch/status").asText())
                .isEqualTo("MIGRATIONS_PASSED");
        api.query(ref(branch), "select * from public.later").expect(201);
        assertThat(call(branch, "/merge").expect(201).json().get("migrations")).hasSize(2);
    }

    /** A rehearsal would use up the only value of the sequence, and the second migration of the merge would find none. */
    @Test
    void aMergeIsOneTransactionWithoutARehearsal() throws Exception {
        migrate(ref, "20300102000000", "create sequence public.once start 2 maxvalue 2");
        JsonNode branch = branch("once", Map.of());
        migrate(ref(branch), "20300103000000", "create table public.first (id int)");
        migrate(ref(branch), "20300104000000", "select nextval('public.once')");
        assertThat(call(branch, "/merge").expect(201).json().get("migrations")).hasSize(2);
        api.query(ref, "select * from public.first").expect(201);

        migrate(ref(branch), "20300105000000", "create table public.second (id int)");
        migrate(ref(branch), "20300106000000", "alter sequence public.once maxvalue 6; select nextval('public.once')");
        migrate(ref(branch), "20300107000000", "insert into public.first select 1 / (nextval('public.once') - 5)");
        api.query(ref, "alter sequence public.once maxvalue 6; select nextval('public.once')")
                .expect(201);
        JsonNode refused = call(branch, "/merge").expect(409).json();
        assertThat(refused.get("code").asText()).isEqualTo("branch_conflict");
        assertThat(refused.get("version").asText()).isEqualTo("20300107000000");
        api.query(ref, "select * from public.second").expect(400);
        assertThat(migrations(ref)).isEqualTo(4);
    }

    @Test
    void aResetDropsWhatTheBranchHasOfItsOwn() throws Exception {
        JsonNode branch = branch("reset", Map.of());
        migrate(ref(branch), "20300102000000", """
                create type public.mood as enum ('sad', 'ok');
                create table public."Odd name" (id int primary key, feeling public.mood);
                create schema private;
                create table private.hidden (id int);
                create view public.loud as select public.shout(title) as title from public.todos;
                create policy "pictures" on storage.objects for select using (bucket_id = 'pictures');
                create function public.made() returns trigger language plpgsql security definer set search_path = ''
                  as $$ begin return new; end $$;
                create trigger made after insert on auth.users for each row execute function public.made();
                """);
        api.query(ref(branch), "insert into todos (title) values ('tried')").expect(201);
        JsonNode done = call(branch, "/reset").expect(201).json();
        assertThat(done.at("/branch/status").asText()).as(done.toString()).isEqualTo("MIGRATIONS_PASSED");
        assertThat(titles(ref(branch))).isEqualTo("of the migration");
        assertThat(migrations(ref(branch))).isEqualTo(1);
        api.query(ref(branch), "select * from public.\"Odd name\"").expect(400);
        api.query(ref(branch), "select * from private.hidden").expect(400);
        assertThat(titles(ref)).isEqualTo("of the migration");
    }

    @Test
    void itMayBeginWithTheRowsOfTheProject() throws Exception {
        migrate(ref, "20300102000000", """
                create table public.profiles (id uuid primary key references auth.users on delete cascade, name text);
                create table public.notes (id int primary key, parent int references public.notes, owner uuid references public.profiles,
                  at timestamptz, tags text[], body jsonb, size bigint generated always as (length(body::text)) stored);
                create function public.welcome() returns trigger language plpgsql security definer set search_path = ''
                  as $$ begin insert into public.profiles values (new.id, 'by the trigger'); return new; end $$;
                create trigger welcome after insert on auth.users for each row execute function public.welcome();
                """);
        api.query(ref, """
                insert into auth.users (id, email) values ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'ann@example.com');
                insert into public.notes (id, parent, owner, at, tags, body)
                  values (1, null, '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '2030-01-01', '{a,"b c"}', '{"quote": "it''s \\\\ "}'), (2, 1, null, null, null, null);
                insert into public.todos (title) values ('of the project');
                """).expect(201);
        JsonNode branch = branch("rows", Map.of("with_data", true));
        assertThat(branch.get("status").asText()).as(branch.toString()).isEqualTo("MIGRATIONS_PASSED");
        assertThat(titles(ref(branch))).isEqualTo("of the migration,of the project");
        String rows = "select n.*, p.name, u.email from notes n left join profiles p on p.id = n.owner"
                + " left join auth.users u on u.id = p.id order by n.id";
        assertThat(api.query(ref(branch), rows).expect(201).body())
                .isEqualTo(api.query(ref, rows).expect(201).body())
                .contains("by the trigger", "ann@example.com");
        api.query(ref(branch), "insert into todos (title) values ('next')").expect(201);
        assertThat(titles(ref)).isEqualTo("of the migration,of the project");
    }

    @Test
    void rowsKeepNullsOfJsonAndBoundsOfArrays() throws Exception {
        migrate(ref, "20300102000000", """
                create domain public.settings as jsonb check (jsonb_typeof(value) = 'object');
                create type public.pair as (a int, b json);
                create table public.exact (id int primary key, doc json, docs jsonb[], bin jsonb, own public.settings, two public.pair,
                  list int[], raw bytea, at timestamptz, big numeric, kind "char");
                """);
        api.query(ref, """
                insert into public.exact values
                  (1, 'null', array['null'::jsonb, null], 'null', '{"a": null}', row(1, 'null'), '[2:3]={5,null}', '\\x00ff', '2026-01-02 03:04:05.678+02', 1e40, 'x'),
                  (2, null, null, null, null, null, '{}', null, null, null, null),
                  (3, ' {"b": 1, "b": 2}', null, '"null"', null, row(null, null), null, '', 'infinity', 'NaN', null)
                """).expect(201);

        JsonNode branch = branch("exact", Map.of("with_data", true));

        assertThat(branch.get("status").asText()).as(branch.toString()).isEqualTo("MIGRATIONS_PASSED");
        String rows = "select e::text, doc is null as no_doc, bin is null as no_bin from public.exact e order by id";
        assertThat(api.query(ref(branch), rows).expect(201).body())
                .isEqualTo(api.query(ref, rows).expect(201).body())
                .contains("[2:3]=");
    }

    @Test
    void rowsThatReferToEachOtherInACircleComeAlong() throws Exception {
        migrate(ref, "20300102000000", """
                create table public.teams (id int primary key, lead int);
                create table public.members (id int primary key, team int not null references public.teams deferrable initially deferred);
                alter table public.teams add constraint teams_lead foreign key (lead) references public.members deferrable;
                create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'a trigger ran'; end $$;
                """);
        api.query(
                        ref,
                        "insert into teams values (1, null); insert into members values (10, 1); update teams set lead = 10")
                .expect(201);
        migrate(ref, "20300103000000", """
                create trigger refuse before insert on public.members for each row execute function public.refuse();
                """);

        JsonNode branch = branch("circle", Map.of("with_data", true));

        assertThat(branch.get("status").asText()).as(branch.toString()).isEqualTo("MIGRATIONS_PASSED");
        String rows = "select t.id, t.lead, m.team from teams t join members m on m.id = t.lead";
        assertThat(api.query(ref(branch), rows).expect(201).body())
                .isEqualTo(api.query(ref, rows).expect(201).body())
                .contains("10");
        api.query(ref(branch), "insert into members values (11, 1)").expect(400);
    }

    @Test
    void aFailedMigrationIsSaidAndTheBranchCanBeResetOrDeleted() throws Exception {
        api.query(ref, "create table public.by_hand (id int)").expect(201);
        migrate(ref, "20300102000000", "alter table public.by_hand add column name text");
        JsonNode branch = branch("failing", Map.of());
        assertThat(branch.get("status").asText()).isEqualTo("MIGRATIONS_FAILED");
        assertThat(branch.get("status_message").asText()).contains("20300102000000", "by_hand");
        assertThat(call(branch, "/merge").expect(409).json().get("code").asText())
                .isEqualTo("branch_conflict");
        assertThat(api.post("/branches/" + ref(branch) + "/reset", Map.of("migration_version", "20300101000000"))
                        .expect(201)
                        .json()
                        .at("/branch/status")
                        .asText())
                .isEqualTo("MIGRATIONS_PASSED");
        delete(platform, "/branches/" + branch.get("id").asText() + "?force=true")
                .expect(200);
        assertThat(api.get("/projects/" + ref + "/branches").expect(200).json())
                .allSatisfy(left ->
                        assertThat(left.get("preview_project_status").asText()).isEqualTo("GOING_DOWN"));
    }

    @Test
    void wrongRequestsAreRefused() throws Exception {
        JsonNode branch = branch("taken", Map.of());
        String branches = "/projects/" + ref + "/branches";
        assertThat(api.post(branches, Map.of("branch_name", "taken"))
                        .expect(409)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("branch_exists");
        assertThat(api.post("/projects/" + ref(branch) + "/branches", Map.of("branch_name", "x"))
                        .expect(409)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("branch_conflict");
        assertThat(api.post(branches, Map.of()).expect(400).json().get("code").asText())
                .isEqualTo("invalid_body");
        assertThat(api.post(branches, Map.of("branch_name", "x", "is_default", true))
                        .expect(400)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("invalid_body");
        assertThat(api.get("/branches/nothere").expect(404).json().get("code").asText())
                .isEqualTo("branch_not_found");
        assertThat(api.post("/branches/" + ref(branch) + "/reset", Map.of("migration_version", "20990101000000"))
                        .expect(404)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("migration_not_found");
        String one = "/branches/" + ref(branch);
        assertThat(api.post(one + "/merge", Map.of("migration_version", "20990101000000"))
                        .expect(404)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("migration_not_found");
        assertThat(api.post(one + "/merge", Map.of("migration_version", "x"))
                        .expect(400)
                        .json()
                        .at("/errors/0/pointer")
                        .asText())
                .isEqualTo("/migration_version");
        api.post(one + "/merge", Map.of("seed", "select 1")).expect(400);
        for (String status : List.of("MIGRATIONS_FAILED", "FUNCTIONS_DEPLOYED")) {
            assertThat(api.patch(one, "{\"status\":\"" + status + "\"}")
                            .expect(400)
                            .json()
                            .at("/errors/0/pointer")
                            .asText())
                    .isEqualTo("/status");
        }
        api.patch(one, "{\"status\":\"MIGRATIONS_PASSED\",\"git_branch\":\"main\"}")
                .expect(200);
        assertThat(api.get(one + "/diff?included_schemas=public")
                        .expect(400)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("invalid_parameter");
        assertThat(delete(platform, one + "?force=false")
                        .expect(400)
                        .json()
                        .get("code")
                        .asText())
                .isEqualTo("invalid_parameter");
        assertThat(api.get(one).expect(200).json().get("branch_status").asText())
                .isEqualTo("MIGRATIONS_PASSED");

        String token = api.post("/tokens", Map.of("name", "weak", "permissions", Map.of("projects_create", true)))
                .expect(201)
                .json()
                .get("token")
                .asText();
        Answer weak = ControlPlane.send(
                HttpRequest.newBuilder(URI.create(platform.connection().baseUrl() + branches))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"branch_name\":\"weak\"}")));
        assertThat(weak.expect(403).json().get("code").asText()).isEqualTo("pat_database_query_forbidden");
    }

    @Test
    void aNeighbourReachesNoBranch() throws Exception {
        JsonNode branch = branch("private", Map.of());
        String neighbour = api.post("/organizations", Map.of("slug", "n" + ref, "name", "Neighbour"))
                .expect(201)
                .json()
                .at("/token/token")
                .asText();
        for (String call : List.of("GET ", "DELETE ", "GET /diff", "POST /merge", "POST /push", "POST /reset")) {
            String[] parts = call.split(" ", 2);
            for (String id : List.of(ref(branch), branch.get("id").asText())) {
                Answer answer = ControlPlane.send(HttpRequest.newBuilder(
                                URI.create(platform.connection().baseUrl() + "/branches/" + id + parts[1]))
                        .header("Authorization", "Bearer " + neighbour)
                        .method(parts[0], HttpRequest.BodyPublishers.noBody()));
                assertThat(answer.expect(404).json().get("code").asText())
                        .as(call)
                        .isEqualTo("branch_not_found");
            }
        }
        assertThat(api.get("/branches/" + ref(branch))
                        .expect(200)
                        .json()
                        .get("branch_status")
                        .asText())
                .isEqualTo("MIGRATIONS_PASSED");
    }

    @Test
    void itGoesWithTheProject() throws Exception {
        JsonNode branch = branch("child", Map.of());
        delete(platform, "/projects/" + ref).expect(200);
        assertThat(Program.kubectl(
                        platform,
                        "wait",
                        "--for=delete",
                        "project/" + ref(branch),
                        "--namespace",
                        "svc",
                        "--timeout=180s"))
                .isNotNull();
        api.get("/branches/" + ref(branch)).expect(404);
    }
}
