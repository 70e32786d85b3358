package svc.e2e.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.CommandLine;
import svc.e2e.running.SharedPlatform;

/** What a person or an agent does at a command line, on the platform as it is shipped, signed in once. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SCHEMA = """
            create type mood as enum ('sad', 'ok');
            create domain email_address as text check (value like '%@%');
            create table authors (id serial primary key, email email_address unique);
            create table "Posts" (id bigint generated always as identity primary key, author int references authors on delete cascade,
              title text not null default 'x', feeling mood, owner uuid default auth.uid(), short text generated always as (left(title, 3)) stored);
            create index posts_author on "Posts" (author) where title <> '';
            alter table "Posts" enable row level security;
            create policy "own posts" on "Posts" for update to authenticated using (owner = auth.uid());
            create view titles with (security_invoker) as select id, title from "Posts";
            create function touch() returns trigger language plpgsql set search_path = '' as $$ begin new.title := new.title || ''; return new; end $$;
            create trigger touch before update on "Posts" for each row execute function touch();
            create function total() returns bigint language sql stable as $$ select count(*) from public."Posts" $$;
            create policy "own files" on storage.objects for select to authenticated using (owner = auth.uid());
            """;

    private Platform platform;
    private Map<String, String> environment;

    @BeforeAll
    void signIn(Platform platform, @TempDir Path config) throws Exception {
        this.platform = platform;
        this.environment = Map.of("XDG_CONFIG_HOME", config.toString());
        var ended = new CommandLine(config, environment)
                .svcWith(
                        platform.connection().token() + "\n",
                        "login",
                        "--api-url",
                        platform.connection().baseUrl())
                .expect(0);
        assertThat(ended.out() + ended.err())
                .doesNotContain(platform.connection().token());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config.resolve("svc/credentials.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void fromAnEmptyFolderToAnApplicationInABrowser(@TempDir Path folder) throws Exception {
        Path sample = PlatformCommand.root().resolve("config/samples/app");
        copy(sample, folder);
        CommandLine line = in(folder);
        JsonNode project = line.svc("projects", "create", "sample", "--json").json();
        String ref = project.get("ref").asText();
        line.svc("link", ref).expect(0);
        assertThat(line.svc("db", "push", "--dry-run").expect(0).out()).contains("would_apply");
        assertThat(line.svc("status", "--json").json().get("pending_migrations"))
                .hasSize(1);
        line.svc("db", "push").expect(0);
        assertThat(line.svc("migrations", "list", "--json").json().findValuesAsText("state"))
                .containsExactly("applied");
        assertThat(line.svc("db", "push").expect(0).out()).contains("Nothing to do");
        line.svc("functions", "deploy").expect(0);
        platform.controlPlane()
                .patch("/projects/" + ref, "{\"auth\":{\"email\":{\"autoconfirm\":true}}}")
                .expect(200);

        String written = Files.readString(folder.resolve("src/database.ts"));
        line.svc("gen", "types", "--output", "src/database.ts").expect(0);
        assertThat(folder.resolve("src/database.ts"))
                .content()
                .isNotEqualTo(written)
                .contains("todos: {");
        line.svc("db", "advisors", "--type", "security", "--fail-on", "error").expect(0);
        line.svc("db", "query", "create table open (id int)").expect(0);
        assertThat(line.svc("db", "advisors", "--fail-on", "error").expect(1).out())
                .contains("rls_disabled_in_public");
        line.svc("db", "query", "drop table open").expect(0);

        Path modules = CommandLine.clients().resolve("node_modules");
        Files.createSymbolicLink(folder.resolve("node_modules"), modules);
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("VITE_SVC_URL", platform.connection().pathUrl(ref));
        variables.put("VITE_SVC_ANON_KEY", project.get("anon_key").asText());
        variables.put("VITE_SVC_DB_SCHEMA", project.get("schema").asText());
        var build = new CommandLine(folder, variables);
        build.run(List.of("node", "node_modules/typescript/bin/tsc", "--noEmit"), "")
                .expect(0);
        build.run(List.of("node", "node_modules/vite/bin/vite.js", "build"), "").expect(0);
        String input = JSON.writeValueAsString(Map.of(
                "folder", folder.resolve("dist").toString(), "email", "ann@example.com", "title", "<b>buy milk</b>"));
        var browser = List.of(
                "node", CommandLine.clients().resolve("js/e2e/sample.mjs").toString());
        assertThat(line.run(browser, input).json().get("items").toString()).isEqualTo("[[\"<b>buy milk</b>\",true]]");
        assertThat(line.svc("db", "query", "select title, done from todos", "--json")
                        .json()
                        .toString())
                .isEqualTo("[{\"title\":\"<b>buy milk</b>\",\"done\":true}]");
        assertThat(line.svc("db", "query", "select * from todos", "--as", "anon", "--json")
                        .json())
                .isEmpty();
        assertThat(line.svc("projects", "delete", ref).expect(6).err()).contains("--yes");
        line.svc("projects", "delete", ref, "--yes").expect(0);
    }

    @Test
    void aBranchIsMergedIntoTheProject(@TempDir Path folder) throws Exception {
        CommandLine line = in(folder);
        String ref = newProject(line, "branched");
        write(folder.resolve("svc/migrations/20300101000000_todos.sql"), "create table todos (id int);");
        line.svc("db", "push").expect(0);
        write(folder.resolve("svc/seed.sql"), "insert into todos values (7);");
        JsonNode branch = line.svc("branches", "create", "feature", "--json").json();
        String other = branch.get("project_ref").asText();
        assertThat(line.svc("--project-ref", other, "db", "query", "select id from todos", "--json")
                        .json()
                        .toString())
                .isEqualTo("[{\"id\":7}]");
        write(folder.resolve("svc/migrations/20300102000000_done.sql"), "alter table todos add column done boolean;");
        line.svc("--project-ref", other, "db", "push").expect(0);
        assertThat(line.svc("branches", "merge", "feature", "--dry-run")
                        .expect(0)
                        .out())
                .contains("add column done");
        assertThat(line.svc("branches", "merge", "feature").expect(0).out()).contains("20300102000000");
        assertThat(line.svc("db", "query", "select done from todos", "--json").json())
                .isEmpty();
        assertThat(line.svc("branches", "rebase", "feature").expect(0).out()).contains(other);
        line.svc("branches", "reset", "feature", "--yes").expect(0);
        assertThat(line.svc("branches", "list").expect(0).out()).contains("feature", other);
        assertThat(line.svc("branches", "merge", "nothing").expect(4).err()).contains("svc branches list");
        assertThat(line.svc("branches", "create", "feature").expect(1).err()).contains("has a branch feature");
        assertThat(line.svc("branches", "delete", "feature").expect(6).err()).contains("--yes");
        line.svc("branches", "delete", "feature", "--yes").expect(0);
        line.svc("projects", "delete", ref, "--yes").expect(0);
    }

    @Test
    void functionsWithSharedFilesMapsAndSecrets(@TempDir Path folder) throws Exception {
        CommandLine line = in(folder);
        String ref = newProject(line, "functions");
        Path functions = folder.resolve("svc/functions");
        write(functions.resolve("_shared/greeting.ts"), "export const greeting = (name: string) => `Hello ${name}`;");
        write(functions.resolve("greet/deno.json"), "{\"imports\":{\"greeting\":\"../_shared/greeting.ts\"}}");
        write(functions.resolve("greet/index.ts"), """
                import { greeting } from "greeting";
                Deno.serve((request) => { console.log(`called ${new URL(request.url).search}`); return Response.json([greeting("Ann"), Deno.env.get("WORD") ?? null]); });
                """);
        write(folder.resolve("svc/config.toml"), "[functions.greet]\nverify_jwt = false\n");
        var secret = line.svcWith("hidden word", "functions", "secrets", "set", "greet", "WORD")
                .expect(0);
        assertThat(secret.out() + secret.err()).doesNotContain("hidden");
        line.svcWith("for all of them", "secrets", "set", "OTHER").expect(0);
        assertThat(line.svc("secrets", "list", "--json").json().findValuesAsText("key"))
                .containsExactly("OTHER");
        line.svc("secrets", "unset", "OTHER").expect(0);
        assertThat(line.svc("secrets", "list", "--json").json()).isEmpty();
        JsonNode deployed = line.svc("functions", "deploy", "--json").json().get(0);
        assertThat(deployed.get("status").asText()).isEqualTo("ACTIVE");
        assertThat(deployed.get("verify_jwt").asBoolean()).isFalse();
        String url = platform.connection().pathUrl(ref) + "/functions/v1/greet";
        assertThat(get(url).expect(200).json().toString()).isEqualTo("[\"Hello Ann\",\"hidden word\"]");
        assertThat(line.svc("functions", "secrets", "list", "--json").json().findValuesAsText("key"))
                .containsExactly("WORD");
        get(url + "?first").expect(200);
        Process following = line.start(line.words("functions", "logs", "greet", "--follow", "--json"));
        try (var lines =
                new BufferedReader(new InputStreamReader(following.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isNotNull();
            get(url + "?second").expect(200);
            assertThat(lines.lines()
                            .filter(text -> text.contains("called ?second"))
                            .findFirst())
                    .isPresent();
        } finally {
            following.destroy();
            following.waitFor();
        }
        assertThat(line.svc("functions", "logs", "greet").expect(0).out())
                .contains("log called ?first", "log called ?second");
        Process log = line.start(line.words("logs", "--service", "functions", "--follow", "--json"));
        try (var lines = new BufferedReader(new InputStreamReader(log.getInputStream(), StandardCharsets.UTF_8))) {
            get(url + "?third").expect(200);
            assertThat(lines.lines()
                            .filter(text -> text.contains("called ?third"))
                            .findFirst())
                    .isPresent();
        } finally {
            log.destroy();
            log.waitFor();
        }
        assertThat(line.svc("logs").expect(0).out())
                .contains("deployed function greet", "called ?third", "/functions/v1/greet");

        write(functions.resolve("greet/index.ts"), "export default () => new Response(nope nope);");
        var failed = line.svc("functions", "deploy").expect(1);
        assertThat(failed.err()).contains("index.ts:1:");
        assertThat(get(url).expect(200).json().toString()).contains("Hello Ann");
        line.svc("functions", "secrets", "unset", "greet", "WORD").expect(0);
        line.svc("functions", "delete", "greet", "--yes").expect(0);
        assertThat(line.svc("functions", "list", "--json").json()).isEmpty();
    }

    @Test
    void functionsRunOnThisMachineAndAreLoadedAgain(@TempDir Path folder) throws Exception {
        var variables = new HashMap<>(environment);
        variables.put("SVC_DENO", ClientSourcesTest.Deno.program());
        var line = new CommandLine(folder, variables);
        String ref = newProject(line, "local functions");
        Path file = folder.resolve("svc/functions/local/index.ts");
        write(file, "export default () => Response.json(Deno.env.get('SVC_PROJECT_REF'));");
        Process serving = line.start(line.words("functions", "serve", "--port", "0", "--json"));
        try (var lines = new BufferedReader(new InputStreamReader(serving.getInputStream(), StandardCharsets.UTF_8))) {
            String url = JSON.readTree(lines.readLine()).get("url").asText();
            assertThat(get(url + "/local").expect(200).json().asText()).isEqualTo(ref);
            write(file, "Deno.serve((request) => new Response(new URL(request.url).pathname));");
            assertThat(get(url + "/local/sub").expect(200).body()).isEqualTo("/local/sub");
            get(url + "/other").expect(404);
            List<ProcessHandle> functions = serving.children().toList();
            assertThat(functions).isNotEmpty();
            line.run(List.of("bash", "-c", "kill -INT " + serving.pid()), "").expect(0);
            assertThat(serving.waitFor()).isEqualTo(130);
            for (ProcessHandle function : functions) {
                // One that has ended and is not yet collected by the system has no command line.
                while (function.info().commandLine().isPresent()) {
                    Thread.sleep(50);
                }
            }
        } finally {
            serving.destroy();
            serving.waitFor();
        }
    }

    @Test
    void filesGoUpAndComeBack(@TempDir Path folder) throws Exception {
        CommandLine line = in(folder);
        String ref = newProject(line, "files");
        ClientPackageTest.TestBuckets.create(platform, ref, "files");
        write(folder.resolve("up/a.txt"), "first");
        write(folder.resolve("up/deep/grüße & co.txt"), "second");
        assertThat(line.svc("storage", "cp", "-r", "up", "ss:///files/copy")
                        .expect(0)
                        .err())
                .isEmpty();
        assertThat(line.svc("storage", "ls", "ss:///files/copy", "--json")
                        .json()
                        .findValuesAsText("path"))
                .containsExactlyInAnyOrder("copy/a.txt", "copy/deep/");
        assertThat(line.svc("storage", "cp", "up/a.txt", "ss:///files/copy/")
                        .expect(1)
                        .err())
                .isNotBlank();
        line.svc("storage", "cp", "--overwrite", "up/a.txt", "ss:///files/copy/")
                .expect(0);
        line.svc("storage", "cp", "-r", "ss:///files/copy", "down").expect(0);
        assertThat(folder.resolve("down/a.txt")).hasContent("first");
        assertThat(folder.resolve("down/deep/grüße & co.txt")).hasContent("second");
        line.svc("storage", "rm", "ss:///files/copy/a.txt").expect(0);
        line.svc("storage", "rm", "ss:///files/copy/a.txt").expect(1);
        line.svc("storage", "rm", "-r", "ss:///files/copy").expect(6);
        line.svc("storage", "rm", "-r", "--yes", "ss:///files/copy").expect(0);
        assertThat(line.svc("storage", "ls", "-r", "ss:///files", "--json").json())
                .isEmpty();
        assertThat(line.svc("storage", "ls", "ss:///nothing").expect(0).out()).contains("(none)");
    }

    @Test
    void aDumpMakesTheSameSchemaAndAResetTheFoldersOwn(@TempDir Path folder) throws Exception {
        CommandLine line = in(folder);
        newProject(line, "original");
        line.svcWith(SCHEMA + "insert into authors (email) values ('ann@example.com');", "db", "query")
                .expect(0);
        write(
                folder.resolve("svc/migrations/20300101000000_dump.sql"),
                line.svc("db", "dump").expect(0).out());
        assertThat(line.svc("db", "diff").expect(0).out()).isBlank();
        line.svc("db", "query", "alter table authors add name text not null default ''")
                .expect(0);
        assertThat(line.svc("db", "diff").expect(0).out().trim())
                .isEqualTo("alter table public.authors add column name text not null default ''::text;");
        String rows = line.svc("db", "dump", "--data-only").expect(0).out();
        assertThat(line.svc("db", "reset").expect(6).err()).contains("--yes");
        line.svc("db", "reset", "--yes").expect(0);
        assertThat(line.svc("db", "query", "select * from authors", "--json").json())
                .isEmpty();
        assertThat(line.svc("db", "query", "alter table authors add name text").code())
                .isZero();
        line.svcWith(rows, "db", "query").expect(0);
        assertThat(line.svc("db", "query", "select id, email from authors", "--json")
                        .json()
                        .toString())
                .isEqualTo("[{\"id\":1,\"email\":\"ann@example.com\"}]");
    }

    @Test
    void errorsSayWhatToDoNext(@TempDir Path folder) throws Exception {
        CommandLine line = in(folder);
        assertThat(line.svc("status").expect(4).err()).contains("next: svc link");
        assertThat(line.svc("db", "query", "select 1", "--project-ref", "zzzz9999")
                        .expect(4)
                        .err())
                .contains("next: svc projects list");
        newProject(line, "errors");
        var sql = line.svc("db", "query", "select\n  nothing from nowhere").expect(1);
        assertThat(sql.err()).contains("nowhere", "at 2:", "sqlstate: 42P01", "request id: ");
        var variables = new HashMap<>(environment);
        variables.put("SVC_ACCESS_TOKEN", "svc_pat_wrong");
        assertThat(new CommandLine(folder, variables)
                        .svc("projects", "list")
                        .expect(3)
                        .err())
                .contains("next: svc login")
                .doesNotContain("svc_pat_wrong");
        write(folder.resolve("svc/migrations/20300101000000_one.sql"), "create table one (id int);");
        write(folder.resolve("svc/migrations/20300101000001_two.sql"), "create table two (id wrong_type);");
        assertThat(line.svc("db", "push").expect(1).err())
                .contains("20300101000001_two.sql: ", "wrong_type", "1 migrations before it");
        assertThat(line.svc("migrations", "list", "--json").json().findValuesAsText("state"))
                .containsExactly("applied", "pending");
    }

    private CommandLine in(Path folder) {
        return new CommandLine(folder, environment);
    }

    /** A folder {@code svc/} that is linked to a new project. */
    private static String newProject(CommandLine line, String name) throws IOException {
        String ref =
                line.svc("projects", "create", name, "--json").json().get("ref").asText();
        line.svc("init").expect(0);
        line.svc("link", ref).expect(0);
        return ref;
    }

    private static Answer get(String url) throws IOException {
        return ControlPlane.send(HttpRequest.newBuilder(URI.create(url)).GET());
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> files = new ArrayList<>();
        try (var found = Files.walk(from)) {
            found.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("node_modules"))
                    .forEach(files::add);
        }
        for (Path file : files) {
            write(to.resolve(from.relativize(file).toString()), Files.readString(file));
        }
    }
}
