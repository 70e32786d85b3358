package svc.e2e.walk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import svc.e2e.platform.Platform;
import svc.e2e.running.Program;
import svc.e2e.running.ServerDatabase;
import svc.e2e.running.SharedPlatform;

/** One call makes a project: the answer holds its keys, and it is there in Kubernetes and in PostgreSQL. */
@ExtendWith(SharedPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FirstProjectTest {
    private Platform platform;
    private JsonNode project;

    @BeforeAll
    void create(Platform platform) throws Exception {
        this.platform = platform;
        this.project = platform.controlPlane().create("first");
    }

    @Test
    void theAnswerHoldsAllThatAnApplicationNeeds() throws Exception {
        assertThat(project.get("ref").asText()).matches("[a-z][a-z0-9]{7}");
        assertThat(project.get("schema").asText()).matches("proj_[0-9a-f]{32}");
        assertThat(project.get("anon_key").asText()).isNotBlank();
        String url = platform.connection().pathUrl(project.get("ref").asText());
        assertThat(project.get("rest_url").asText()).isEqualTo(url + "/rest/v1");
        assertThat(project.get("auth_url").asText()).isEqualTo(url + "/auth/v1");
        assertThat(project.get("sdk").get("package").asText()).isEqualTo("@supabase/supabase-js");
        JsonNode again = platform.controlPlane()
                .get("/projects/" + project.get("ref").asText())
                .expect(200)
                .json();
        for (String field : List.of("ref", "schema", "rest_url", "auth_url", "anon_key", "sdk")) {
            assertThat(again.get(field)).as(field).isEqualTo(project.get(field));
        }
    }

    @Test
    void kubectlShowsRefReadyReasonAndAge() throws Exception {
        List<String> lines = Program.kubectl(platform, "get", "projects", "--namespace", "svc")
                .lines()
                .toList();
        assertThat(lines.getFirst().split(" +")).containsExactly("NAME", "REF", "READY", "REASON", "AGE");
        String ref = project.get("ref").asText();
        assertThat(lines).anySatisfy(line -> {
            String[] cells = line.split(" +");
            assertThat(cells).hasSize(5);
            assertThat(cells[1]).isEqualTo(ref);
            assertThat(cells[2]).isEqualTo("True");
            assertThat(cells[3]).isNotBlank();
            assertThat(cells[4]).matches("[0-9ms]+");
        });
    }

    @Test
    void postgresHoldsItsSchemaItsCompanionsAndSixRoles() throws Exception {
        String schema = project.get("schema").asText();
        try (var database = ServerDatabase.of(platform)) {
            assertThat(database.schemas(schema))
                    .containsExactlyInAnyOrder(schema, schema + "_auth", schema + "_storage", schema + "_realtime");
            assertThat(database.roles(schema))
                    .containsExactlyInAnyOrder(
                            schema + "_owner",
                            schema + "_api",
                            schema + "_anon",
                            schema + "_authenticated",
                            schema + "_service",
                            schema + "_system");
        }
    }

    @Test
    void aNameIsNoIdentity() throws Exception {
        JsonNode namesake = platform.controlPlane()
                .post("/projects", Map.of("name", "first"))
                .expect(201)
                .json()
                .get("project");
        assertThat(namesake.get("ref")).isNotEqualTo(project.get("ref"));
        assertThat(namesake.get("anon_key")).isNotEqualTo(project.get("anon_key"));
    }
}
