package svc.server.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Resources of another organisation cannot be read, changed or discovered. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ForeignOrganizationTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    private Http foreigner;
    private String foreignToken;

    @BeforeEach
    void makeOrganization() {
        String slug = "org-" + Long.toString(System.nanoTime(), 36);
        assertThat(ADMIN.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\",\"name\":\"\\ud800\"}")
                        .code())
                .isEqualTo("invalid_body");
        Http.Answer made = ADMIN.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\",\"name\":\"Other\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        foreignToken = made.json().at("/token/token").asText();
        foreigner = Http.api(foreignToken);
        assertThat(foreigner.get("/v1/organizations").json().at("/0/slug").asText())
                .isEqualTo(slug);
        assertThat(ADMIN.send("POST", "/v1/organizations", "{\"slug\":\"" + slug + "\"}")
                        .code())
                .isEqualTo("organization_exists");
    }

    @Test
    void itsProjectsAreNotFound() {
        String ref = ProjectForTests.create("mine").ref();

        for (Http.Answer answer : new Http.Answer[] {
            foreigner.get("/v1/projects/" + ref),
            foreigner.send("PATCH", "/v1/projects/" + ref, "{\"name\":\"yours\"}"),
            foreigner.send("DELETE", "/v1/projects/" + ref),
            foreigner.send("POST", "/v1/projects/" + ref + "/keys/rotate"),
        }) {
            assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("project_not_found");
            // The same answer as for a project that does not exist.
            assertThat(answer.json().get("message").asText()).isEqualTo("The organisation has no project " + ref + ".");
        }
        assertThat(ADMIN.get("/v1/projects/" + ref).json().get("name").asText()).isEqualTo("mine");
    }

    @Test
    void aProjectBelongsToTheOrganisationOfTheTokenThatMadeIt() {
        String ref = ProjectForTests.create(foreignToken, "theirs").ref();

        JsonNode listed = foreigner.get("/v1/projects").json();
        assertThat(listed).hasSize(1);
        assertThat(listed.at("/0/ref").asText()).isEqualTo(ref);
        assertThat(ADMIN.get("/v1/projects/" + ref).status()).isEqualTo(404);
        assertThat(ADMIN.get("/v1/projects").text()).doesNotContain(ref);
    }

    @Test
    void itsTokensAreNotFound() {
        String id = ADMIN.send("POST", "/v1/tokens", "{\"name\":\"mine\"}")
                .json()
                .get("id")
                .asText();

        assertThat(foreigner.get("/v1/tokens/" + id).code()).isEqualTo("token_not_found");
        assertThat(foreigner
                        .send("PATCH", "/v1/tokens/" + id, "{\"name\":\"x\"}")
                        .code())
                .isEqualTo("token_not_found");
        assertThat(foreigner.send("DELETE", "/v1/tokens/" + id).code()).isEqualTo("token_not_found");
        assertThat(foreigner.get("/v1/tokens").text()).doesNotContain(id);
    }
}
