package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import svc.e2e.platform.Answer;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.platform.PlatformCommand;
import svc.e2e.running.CommandLine;
import svc.e2e.running.CommandLine.Ended;
import svc.e2e.running.SharedPlatform;

/** Supabase's own command line, as npm installs it, manages projects of this platform: it is given a profile and a token. */
@ExtendWith(SharedPlatform.class)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = "amd64",
        disabledReason = "its binary is installed for this platform alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SupabaseCommandLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MISSPELT = "abcdefghijklmnopqrst";
    private static final Path PROGRAM =
            PlatformCommand.root().resolve("e2e/client/node_modules/@supabase/cli-linux-x64/bin/supabase");

    private Platform platform;
    private String token;
    private Path profile;
    private Path home;
    private String ref;

    @BeforeAll
    void createAProject(Platform platform, @TempDir Path folder) throws IOException {
        assertThat(PROGRAM)
                .as("npm has left out the optional package: delete e2e/client/node_modules, and test again")
                .isExecutable();
        this.platform = platform;
        this.home = folder;
        this.profile = Files.writeString(folder.resolve("profile.yaml"), """
                name: svc
                api_url: %1$s
                dashboard_url: %1$s
                docs_url: %1$s
                project_host: localhost
                """.formatted(
                        platform.connection().baseUrl().replaceFirst("/v1$", "")));
        this.token = created(Map.of("database_query", true, "projects_create", true, "edge_functions", true));
        this.ref = newProject(folder, "shop");
    }

    private String newProject(Path folder, String name) throws IOException {
        String created = json(
                        folder,
                        "projects",
                        "create",
                        name,
                        "--org-id",
                        "default",
                        "--db-password",
                        "unused",
                        "--region",
                        "us-east-1",
                        "--yes")
                .get("ref")
                .asText();
        assertThat(created).matches("[a-z]{20}");
        return created;
    }

    private String created(Map<String, Boolean> permissions) throws IOException {
        return platform.controlPlane()
                .post("/tokens", Map.of("name", "supabase", "permissions", permissions))
                .expect(201)
                .json()
                .get("supabase_cli_token")
                .asText();
    }

    /** Runs the program as a job does: nothing can be typed. */
    private Ended run(Path folder, String token, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(PROGRAM.toString()));
        words.addAll(List.of(arguments));
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOME",
                home.toString(),
                "SUPABASE_ACCESS_TOKEN",
                token,
                "SUPABASE_PROFILE",
                profile.toString(),
                "SUPABASE_TELEMETRY_DISABLED",
                "1",
                "SUPABASE_NO_UPDATE_NOTIFIER",
                "1",
                "SUPABASE_NO_KEYRING",
                "1",
                "NO_COLOR",
                "1"));
        return new CommandLine(folder, environment).run(words, "");
    }

    private Ended supabase(Path folder, String... arguments) throws IOException {
        return run(folder, token, arguments).expect(0);
    }

    private JsonNode json(Path folder, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of("--output-format", "json"));
        return JSON.readTree(supabase(folder, words.toArray(String[]::new)).out());
    }

    /** Runs the program again and again until it prints that: for what the platform does by itself. */
    private void until(String part, Path folder, String... arguments) throws IOException {
        Instant limit = Instant.now().plus(SharedPlatform.MAX_WAIT);
        String printed;
        do {
            printed = supabase(folder, arguments).out();
        } while (!printed.contains(part) && Instant.now().isBefore(limit));
        assertThat(printed).contains(part);
    }

    private String remote() {
        return "--remote=" + ref;
    }

    @Test
    void projectsAreListedLinkedAndTheirKeysShown(@TempDir Path folder) throws IOException {
        JsonNode project =
                platform.controlPlane().get("/projects/" + ref).expect(200).json();

        assertThat(supabase(folder, "whoami").out()).contains("supabase");
        assertThat(json(folder, "projects", "list").findValuesAsText("ref")).contains(ref);
        assertThat(supabase(folder, "projects", "list").out()).contains(ref, "shop", "default");
        assertThat(json(folder, "projects", "api-keys", remote()).findValuesAsText("api_key"))
                .contains(project.get("anon_key").asText());
        supabase(folder, "link", ref);
        assertThat(folder.resolve("supabase/.temp/project-ref")).hasContent(ref);
        // It saves the address only from an answer that has all that its schema wants.
        assertThat(folder.resolve("supabase/.temp/pooler-url")).content().contains("postgres." + ref);
        assertThat(json(folder, "projects", "list").get("projects"))
                .filteredOn(listed -> listed.get("linked").asBoolean())
                .extracting(listed -> listed.get("ref").asText())
                .containsExactly(ref);
        String second = newProject(folder, "second");
        supabase(folder, "projects", "delete", second, "--yes");
        for (JsonNode listed : json(folder, "projects", "list").get("projects")) {
            if (listed.get("ref").asText().equals(second)) {
                assertThat(listed.get("status").asText()).isEqualTo("GOING_DOWN");
            }
        }
    }

    @Test
    void secretsAreSetListedAndRemoved(@TempDir Path folder) throws IOException {
        supabase(folder, "secrets", "set", "WORD=secret-value", "OTHER=x", remote(), "--yes");

        Ended listed = supabase(folder, "secrets", "list", remote());
        assertThat(listed.out()).contains("WORD", "OTHER").doesNotContain("secret-value");
        supabase(folder, "secrets", "unset", "WORD", remote(), "--yes");
        assertThat(json(folder, "secrets", "list", remote()).get("secrets").findValuesAsText("name"))
                .contains("OTHER")
                .doesNotContain("WORD");
    }

    @Test
    void functionsAreDeployedAloneAndTogether(@TempDir Path folder) throws IOException {
        write(folder, "_shared/word.ts", "export const word = 'shared';");
        write(folder, "hello/index.ts", "Deno.serve(() => new Response('hello'));");
        write(
                folder,
                "bye/index.ts",
                "import { word } from '../_shared/word.ts'; Deno.serve(() => new Response(`bye ${word}`));");

        supabase(folder, "functions", "deploy", "hello", "--use-api", remote(), "--yes");
        assertThat(called("hello")).isEqualTo("hello");
        write(folder, "hello/index.ts", "Deno.serve(() => new Response('hello again'));");
        supabase(folder, "functions", "deploy", "--use-api", remote(), "--yes");

        assertThat(called("hello")).isEqualTo("hello again");
        assertThat(called("bye")).isEqualTo("bye shared");
        assertThat(json(folder, "functions", "list", remote()).get("functions").findValuesAsText("slug"))
                .contains("bye", "hello");
        until("deployed function hello", folder, "logs", remote(), "--output-format", "json");
        write(folder, "bye/index.ts", "import './gone.ts';");
        assertThat(refused(folder, token, "functions", "deploy", "--use-api", remote(), "--yes"))
                .contains("function_import_failed", "gone.ts");
        assertThat(called("bye")).isEqualTo("bye shared");
        supabase(folder, "functions", "delete", "bye", remote(), "--yes");
        assertThat(json(folder, "functions", "list", remote()).toString()).doesNotContain("\"bye\"");
    }

    private static void write(Path folder, String file, String text) throws IOException {
        Path path = folder.resolve("supabase/functions").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private String called(String function) throws IOException {
        JsonNode project = platform.controlPlane().get("/projects/" + ref).json();
        Answer answer = ControlPlane.send(HttpRequest.newBuilder(URI.create(
                        platform.connection().pathUrl(project.get("ref").asText()) + "/functions/v1/" + function))
                .header("apikey", project.get("anon_key").asText())
                .header("Authorization", "Bearer " + project.get("anon_key").asText()));
        return answer.expect(200).body();
    }

    @Test
    void sqlRunsAndTypesAndAdviceFollow(@TempDir Path folder) throws IOException {
        supabase(
                folder,
                "db",
                "query",
                "create table orders (id int primary key, title text); insert into orders values (1, 'first')",
                remote(),
                "--yes");

        assertThat(supabase(
                                folder,
                                "db",
                                "query",
                                "select title from public.orders",
                                remote(),
                                "--read-only",
                                "-o",
                                "json")
                        .out())
                .contains("first");
        assertThat(run(folder, token, "db", "query", "delete from orders", remote(), "--read-only")
                        .code())
                .isNotZero();
        assertThat(supabase(folder, "gen", "types", remote()).out()).contains("orders: {", "title: string | null");
        assertThat(supabase(folder, "db", "advisors", remote()).out()).contains("rls_disabled_in_public_public_orders");
    }

    @Test
    void branchesComeAndGo(@TempDir Path folder) throws IOException {
        supabase(folder, "branches", "create", "preview", remote(), "--yes");

        JsonNode branch = json(folder, "branches", "list", remote()).at("/branches/0");
        assertThat(branch.get("name").asText()).isEqualTo("preview");
        assertThat(branch.get("parent_project_ref").asText()).isEqualTo(ref);
        String own = branch.get("project_ref").asText();
        assertThat(own).matches("[a-z]{20}").isNotEqualTo(ref);
        until("ACTIVE_HEALTHY", folder, "branches", "get", "preview", remote());
        assertThat(supabase(folder, "db", "query", "select 1 as one", "--remote=" + own, "--read-only")
                        .out())
                .contains("one");
        supabase(folder, "branches", "delete", "preview", remote(), "--yes");
        assertThat(json(folder, "branches", "list", remote()).toString()).doesNotContain("ACTIVE_HEALTHY");
    }

    @Test
    void whatIsRefusedSaysWhy(@TempDir Path folder) throws IOException {
        String unknown = "sbp_" + "0".repeat(40);
        assertThat(refused(folder, unknown, "projects", "list")).contains("token_unknown", "svc_pat_");
        assertThat(refused(folder, token, "secrets", "list", "--remote=" + MISSPELT))
                .contains("project_not_found", "GET /v1/projects");
        String little = created(Map.of());
        assertThat(refused(folder, little, "secrets", "list", remote()))
                .contains("pat_edge_functions_forbidden", "PATCH /v1/tokens/");
        assertThat(refused(folder, little, "db", "query", "select 1", remote(), "--read-only"))
                .contains("pat_database_query_forbidden");
        String other = newProject(folder, "busy");
        // On a slow machine the first calls are a minute old, and no longer count, before the program makes its own.
        Ended ended;
        int attempts = 0;
        do {
            for (int status = 201; status != 429; ) {
                status = platform.controlPlane().query(other, "select 1").status();
            }
            ended = run(folder, token, "db", "query", "select 1", "--remote=" + other, "--read-only");
        } while (ended.code() == 0 && ++attempts < 3);
        assertThat(ended.code()).isNotZero();
        assertThat(ended.out() + ended.err())
                .contains("rate_limit_exceeded", "retry in")
                .doesNotContain(token);
    }

    private String refused(Path folder, String token, String... arguments) throws IOException {
        Ended ended = run(folder, token, arguments);
        assertThat(ended.code()).as(String.join(" ", arguments)).isNotZero();
        assertThat(ended.out() + ended.err()).doesNotContain(token);
        return ended.out() + ended.err();
    }

    /** The address that the platform gives, with the token in the place of the password. */
    private String database(String ref) throws IOException {
        return "--remote="
                + platform.controlPlane()
                        .get("/projects/" + ref + "/config/database/pooler")
                        .expect(200)
                        .json()
                        .at("/0/connection_string")
                        .asText()
                        .replace("[YOUR-PASSWORD]", token);
    }

    private String history(String ref) throws IOException {
        return platform.controlPlane()
                .get("/projects/" + ref + "/database/migrations")
                .expect(200)
                .body();
    }

    private static void migration(Path folder, String name, String sql) throws IOException {
        Path migrations = Files.createDirectories(folder.resolve("supabase/migrations"));
        Files.writeString(migrations.resolve(name), sql);
    }

    @Test
    void migrationsArePushedListedAndRepaired(@TempDir Path folder) throws IOException {
        // A project of its own: the SQL calls of the other tests count against its limit otherwise.
        String ref = newProject(folder, "migrations");
        String database = database(ref);
        migration(folder, "20260101000000_pushed.sql", """
                create table pushed (id int primary key, owner uuid default auth.uid());
                alter table pushed enable row level security;
                create policy own on pushed to authenticated using (owner = auth.uid());
                """);
        migration(folder, "20260102000000_filled.sql", "insert into public.pushed values (1), (2);");

        supabase(folder, "db", "push", database, "--yes");
        assertThat(platform.controlPlane()
                        .query(ref, "select count(*)::int as rows from pushed")
                        .body())
                .contains("\"rows\":2");
        assertThat(history(ref)).contains("20260101000000", "pushed", "20260102000000", "filled");
        assertThat(supabase(folder, "migration", "list", database).out()).contains("20260101000000", "20260102000000");

        migration(folder, "20260103000000_broken.sql", "insert into pushed values (3); insert into gone values (1);");
        assertThat(refused(folder, token, "db", "push", database, "--yes")).contains("gone");
        assertThat(history(ref)).doesNotContain("20260103000000");
        assertThat(platform.controlPlane()
                        .query(ref, "select count(*)::int as rows from pushed")
                        .body())
                .contains("\"rows\":2");
        supabase(folder, "migration", "repair", "20260103000000", "--status", "applied", database, "--yes");
        assertThat(history(ref)).contains("20260103000000");
        supabase(folder, "migration", "repair", "20260103000000", "--status", "reverted", database, "--yes");
        assertThat(history(ref)).doesNotContain("20260103000000");
        assertThat(refused(folder, token, "db", "push", database.replace(token, "sbp_" + "0".repeat(40)), "--yes"))
                .contains("password authentication failed");
    }

    /** It looks for the endpoint at port 5432 of a name below the data host, which resolves nowhere here. */
    @Test
    void withoutAWayToTheDatabaseNothingIsPushed(@TempDir Path folder) throws IOException {
        migration(folder, "20260201000000_lost.sql", "create table lost (id int primary key);");

        assertThat(refused(folder, token, "db", "push", remote(), "--yes")).isNotBlank();
        assertThat(refused(folder, token, "migration", "list", remote())).isNotBlank();
        assertThat(history(ref)).doesNotContain("lost");
    }
}
