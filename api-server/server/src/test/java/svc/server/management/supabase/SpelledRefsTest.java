package svc.server.management.supabase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import svc.database.name.SupabaseRef;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** A ref of 20 letters stands for the ref in each path, and in answers for callers that know no others. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class SpelledRefsTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    private static Http supabase() {
        return Http.api(
                ADMIN.send("POST", "/v1/tokens", "{\"name\":\"supabase\",\"permissions\":{\"projects_create\":true}}")
                        .json()
                        .get("supabase_cli_token")
                        .asText());
    }

    @Test
    void eachPathTakesIt() {
        String ref = ProjectForTests.create("paths").ref();
        String spelled = SupabaseRef.of(ref);

        for (String prefix : new String[] {"/v1", "/api"}) {
            for (String rest : new String[] {
                "",
                "/",
                "/api-keys?reveal=true",
                "/api-keys/anon",
                "/config/auth",
                "/config/storage",
                "/postgrest",
                "/health?services=rest",
                "/branches",
                "/branches/none",
                "/functions",
                "/secrets",
                "/no-such-path"
            }) {
                Http.Answer byRef = ADMIN.get(prefix + "/projects/" + ref + rest);
                Http.Answer bySpelling = ADMIN.get(prefix + "/projects/" + spelled + rest);
                assertThat(bySpelling.status()).as(rest).isEqualTo(byRef.status());
                assertThat(withoutId(bySpelling)).as(rest).isEqualTo(withoutId(byRef));
            }
        }
        Http.Answer changed = ADMIN.send("PATCH", "/v1/projects/" + spelled, "{\"name\":\"by letters\"}");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(ADMIN.get("/v1/projects/" + ref).json().get("name").asText()).isEqualTo("by letters");
        assertThat(ADMIN.get("/v1/branches/" + spelled).code()).isEqualTo("branch_not_found");
    }

    private static String withoutId(Http.Answer answer) {
        return answer.text().replaceAll("\"request_id\":\"[^\"]*\"", "");
    }

    @Test
    void aBodyIsReadForIt() {
        ProjectForTests project = ProjectForTests.create("bodies");
        Http.Answer byRef =
                ADMIN.send("POST", "/v1/projects/" + project.ref() + "/keys/rotate", "{\"keys\":[\"none\"]}");
        Http.Answer bySpelling = ADMIN.send(
                "POST", "/v1/projects/" + SupabaseRef.of(project.ref()) + "/keys/rotate", "{\"keys\":[\"none\"]}");

        assertThat(byRef.status()).isEqualTo(400);
        assertThat(withoutId(bySpelling)).isEqualTo(withoutId(byRef));
        // The project's own key is authenticated before the body is read, by the ref in the path.
        String key = project.serviceKey();
        String path = "/migrate/service-role";
        String neighbour = SupabaseRef.of(ProjectForTests.create("neighbour").ref());
        assertThat(Http.api(key)
                        .send("POST", "/v1/projects/" + SupabaseRef.of(project.ref()) + path, "{}")
                        .code())
                .isEqualTo("invalid_body");
        assertThat(Http.api(key)
                        .send("POST", "/v1/projects/" + neighbour + path, "{}")
                        .code())
                .isEqualTo("service_key_invalid");
    }

    @Test
    void otherLettersNameNoProject() {
        String spelled = SupabaseRef.of(ProjectForTests.create("exact").ref());
        char last = spelled.charAt(19);

        List<String> others = new ArrayList<>(List.of(
                "abcdefghijklmnopqrst",
                spelled.toUpperCase(Locale.ROOT),
                spelled.substring(1),
                spelled + "a",
                spelled.substring(0, 19) + (last == 'a' ? 'b' : 'a'),
                spelled + "%20",
                "%20" + spelled));
        for (String other : others) {
            Http.Answer answer = ADMIN.get("/v1/projects/" + other);
            assertThat(answer.status()).as(other).isEqualTo(404);
            assertThat(answer.code()).as(other).isEqualTo("project_not_found");
            assertThat(answer.json().get("hint").asText()).contains("GET /v1/projects");
        }
    }

    @Test
    void onlyACallerWithATokenOfSupabasesFormReadsIt() {
        Http supabase = supabase();
        ProjectForTests project = ProjectForTests.create("read");
        String spelled = SupabaseRef.of(project.ref());

        assertThat(ADMIN.get("/v1/projects/" + spelled).json().get("ref").asText())
                .isEqualTo(project.ref());
        assertThat(ADMIN.get("/v1/projects").text()).doesNotContain(spelled);
        for (String name : new String[] {project.ref(), spelled}) {
            Http.Answer answer = supabase.get("/v1/projects/" + name);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            JsonNode seen = answer.json();
            assertThat(seen.get("ref").asText()).isEqualTo(spelled);
            assertThat(seen.get("id").asText()).isEqualTo(spelled);
            assertThat(seen.get("region").asText()).isEqualTo("local");
            assertThat(seen.at("/database/host").asText()).isEqualTo("db." + spelled + ".data.example");
            assertThat(answer.text()).doesNotContain("\"" + project.ref() + "\"");
            assertThat(answer.header("ETag")).isPresent();
        }
        assertThat(supabase.get("/v1/projects").json().findValuesAsText("ref"))
                .contains(spelled)
                .doesNotContain(project.ref());
        assertThat(supabase.get("/v1/organizations/default/projects?search=" + project.ref())
                        .json()
                        .at("/projects/0/ref")
                        .asText())
                .isEqualTo(spelled);
        JsonNode made = supabase.send("POST", "/v1/projects", "{\"name\":\"made\",\"db_pass\":\"x\"}")
                .json();
        assertThat(SupabaseRef.ref(made.get("ref").asText())).isPresent();
        assertThat(supabase.send("PATCH", "/v1/projects/" + spelled, "{\"name\":\"changed\"}")
                        .json()
                        .get("ref")
                        .asText())
                .isEqualTo(spelled);
        JsonNode gone = supabase.send("DELETE", "/v1/projects/" + spelled).json();
        assertThat(gone.get("ref").asText()).isEqualTo(spelled);
        assertThat(gone.get("id").isInt()).isTrue();
        String other = made.get("ref").asText();
        assertThat(ADMIN.send("DELETE", "/v1/projects/" + other)
                        .json()
                        .get("ref")
                        .asText())
                .isEqualTo(SupabaseRef.ref(other).orElseThrow());
        assertThat(supabase.get("/v1/profile").json().get("username").asText()).isEqualTo("supabase");
    }
}
