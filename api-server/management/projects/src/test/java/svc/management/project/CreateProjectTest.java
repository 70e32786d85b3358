package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class CreateProjectTest {
    private final Http api = Http.api(TestingPlatform.ADMIN);

    @Test
    void theAnswerIsTheWholeProjectAsSoonAsItIsUp() {
        Http.Answer answer = api.send("POST", "/v1/projects", "{\"name\":\"shop\"}");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        JsonNode project = answer.json().get("project");
        String ref = project.get("ref").asText();
        assertThat(ref).matches("[a-z][a-z0-9]{7}");
        assertThat(project.get("status").asText()).isEqualTo("ACTIVE_HEALTHY");
        assertThat(project.get("schema").asText()).matches("proj_[0-9a-f]{32}");
        assertThat(project.get("anon_key").asText()).startsWith("svc_anon_");
        assertThat(project.get("rest_url").asText()).endsWith("/rest/v1");
        assertThat(project.get("auth_url").asText()).endsWith("/auth/v1");
        assertThat(project.get("organization").asText()).isEqualTo("default");
        assertThat(project.at("/sdk/db_schema").asText())
                .isEqualTo(project.get("schema").asText());
        assertThat(project.at("/sdk/env/SVC_DB_SCHEMA").asText())
                .isEqualTo(project.get("schema").asText());
        assertThat(project.at("/sdk/package").asText()).isEqualTo("@supabase/supabase-js");
        assertThat(project.at("/conditions/0/type").asText()).isEqualTo("Ready");
        assertThat(answer.header("location")).hasValue("http://api.svc.example/v1/projects/" + ref);
    }

    @Test
    void aSpecificRegionIsTheDeploymentsOwnOrRefused() {
        Http.Answer elsewhere = api.send(
                "POST",
                "/v1/projects",
                "{\"name\":\"x\",\"region_selection\":{\"type\":\"specific\",\"code\":\"the-moon\"}}");
        assertThat(elsewhere.status()).isEqualTo(400);
        assertThat(elsewhere.json().at("/errors/0/pointer").asText()).isEqualTo("/region_selection/code");
        String own = api.get("/v1/projects/available-regions")
                .json()
                .at("/all/specific/0/code")
                .asText();
        for (String selection : new String[] {
            "{\"type\":\"specific\",\"code\":\"" + own + "\"}", "{\"type\":\"smartGroup\",\"code\":\"emea\"}", "7"
        }) {
            assertThat(api.send("POST", "/v1/projects", "{\"name\":\"x\",\"region_selection\":" + selection + "}")
                            .status())
                    .isEqualTo(201);
        }
    }
}
