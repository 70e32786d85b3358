package svc.e2e.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import svc.e2e.platform.ControlPlane;
import svc.e2e.platform.Platform;
import svc.e2e.running.CommandLine;
import svc.e2e.running.SharedPlatform;

/** One application with {@code @svc/client}, on Node.js, on Deno and in Chromium, where preflights are real. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientPackageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TABLES = """
            create table todos (id int generated always as identity primary key, title text not null, secret boolean not null default false);
            alter table todos enable row level security;
            create policy open_only on todos for all to public using (not secret) with check (not secret);
            create table notes (id int generated always as identity primary key, owner uuid not null default auth.uid(), text text);
            alter table notes enable row level security;
            create policy own on notes for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
            create policy files on storage.objects for all to authenticated
              using (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text)
              with check (bucket_id = 'files' and (storage.foldername(name))[1] = auth.uid()::text);
            """;
    private static final String ECHO = """
            export default async (request: Request) =>
              Response.json({ ...await request.json(), ref: request.headers.get("x-project-ref") });
            """;

    private Platform platform;
    private JsonNode project;

    @BeforeAll
    void create(Platform platform) throws Exception {
        this.platform = platform;
        ControlPlane control = platform.controlPlane();
        project = control.create("clients");
        control.patch("/projects/" + ref(), "{\"auth\":{\"email\":{\"autoconfirm\":true}}}")
                .expect(200);
        control.query(ref(), TABLES).expect(201);
        control.post("/projects/" + ref() + "/functions/deploy", Map.of("name", "echo", "source", ECHO))
                .expect(201);
        TestBuckets.create(platform, ref(), "files");
    }

    static Stream<Arguments> runtimes() {
        String programs = CommandLine.clients().resolve("js/e2e").toString();
        return Stream.of(
                Arguments.of("Node.js", false, List.of("node", programs + "/server.mjs")),
                Arguments.of(
                        "Deno",
                        false,
                        List.of(
                                ClientSourcesTest.Deno.program(),
                                "run",
                                "--no-prompt",
                                "--allow-net",
                                "--allow-env",
                                "--allow-read",
                                programs + "/server.mjs")),
                Arguments.of("Chromium", false, List.of("node", programs + "/browser.mjs")),
                // Node.js does not resolve names below localhost everywhere; a browser does.
                Arguments.of("Chromium by host name", true, List.of("node", programs + "/browser.mjs")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("runtimes")
    void anApplicationWorks(String runtime, boolean byHostName, List<String> words) throws Exception {
        String title = "on " + runtime;
        String input = JSON.writeValueAsString(Map.of(
                "url",
                byHostName
                        ? platform.connection().dataUrl(ref())
                        : platform.connection().pathUrl(ref()),
                "key",
                project.get("anon_key").asText(),
                "schema",
                project.get("schema").asText(),
                "title",
                title));
        JsonNode seen = new CommandLine(CommandLine.clients(), Map.of())
                .run(words, input)
                .json();
        JsonNode row = JSON.createObjectNode().put("title", title);
        assertThat(seen.get("inserted")).isEqualTo(row);
        assertThat(seen.get("found")).isEqualTo(JSON.createArrayNode().add(row));
        assertThat(seen.get("byDefault")).as("without dbSchema").isEqualTo(seen.get("found"));
        assertThat(seen.get("refused").asText()).isEqualTo("42501");
        assertThat(seen.get("heard").asText()).isEqualTo(title);
        assertThat(seen.get("ownsItsRow").asBoolean()).isTrue();
        assertThat(seen.get("file").asText()).isEqualTo(title);
        assertThat(seen.get("called"))
                .isEqualTo(JSON.createObjectNode().put("title", title).put("ref", ref()));
        assertThat(seen.get("signedOut")).isEmpty();
    }

    private String ref() {
        return project.get("ref").asText();
    }

    /** Buckets made with a project's service-role key. */
    static final class TestBuckets {
        private TestBuckets() {}

        static void create(Platform platform, String ref, String name) throws Exception {
            String key = platform
                    .controlPlane()
                    .get("/projects/" + ref + "/api-keys?reveal=true")
                    .expect(200)
                    .json()
                    .findValuesAsText("api_key")
                    .stream()
                    .filter(found -> found.startsWith("svc_service_"))
                    .findFirst()
                    .orElseThrow();
            ControlPlane.send(HttpRequest.newBuilder(
                                    URI.create(platform.connection().pathUrl(ref) + "/storage/v1/bucket"))
                            .header("apikey", key)
                            .header("Authorization", "Bearer " + key)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"id\":\"" + name + "\",\"name\":\"" + name + "\"}")))
                    .expect(200);
        }
    }
}
