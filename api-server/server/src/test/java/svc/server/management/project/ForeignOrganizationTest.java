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
            foreigner.send("POST", "/v1/projects/" + ref + "/pause"),
            foreigner.send("POST", "/v1/projects/" + ref + "/restore"),
            foreigner.get("/v1/projects/" + ref + "/health"),
            foreigner.get("/v1/projects/" + ref + "/secrets"),
            foreigner.send("POST", "/v1/projects/" + ref + "/secrets", "[]"),
            foreigner.get("/v1/projects/" + ref + "/config/auth"),
            foreigner.send("PATCH", "/v1/projects/" + ref + "/config/auth", "{}"),
            foreigner.send("PATCH", "/v1/projects/" + ref + "/config/realtime", "{}"),
            foreigner.send("PATCH", "/v1/projects/" + ref + "/postgrest", "{}"),
            foreigner.get("/v1/projects/" + ref + "/api-keys/legacy"),
            foreigner.get("/v1/projects/" + ref + "/api-keys/anon"),
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
    void itsMembersAndProjectsAreItsOwn() {
        String slug = foreigner.get("/v1/organizations").json().at("/0/slug").asText();
        String ref = ProjectForTests.create(foreignToken, "Theirs").ref();
        ProjectForTests.create(foreignToken, "another");
        String path = "/v1/organizations/" + slug;

        assertThat(foreigner.get(path).json().get("plan").asText()).isEqualTo("free");
        JsonNode members = foreigner.get(path + "/members").json();
        assertThat(members).hasSize(1);
        assertThat(members.at("/0/role_name").asText()).isEqualTo("Owner");
        JsonNode page = foreigner
                .get(path + "/projects?limit=1&offset=1&sort=name_desc")
                .json();
        assertThat(page.at("/pagination").toString()).isEqualTo("{\"count\":2,\"limit\":1,\"offset\":1}");
        assertThat(page.at("/projects/0/ref").asText()).isEqualTo(ref);
        assertThat(foreigner
                        .get(path + "/projects?search=heir&statuses=ACTIVE_HEALTHY,INACTIVE")
                        .json()
                        .at("/projects"))
                .hasSize(1);
        assertThat(foreigner.get("/v1/projects?limit=1").json()).hasSize(1);
        for (String query :
                new String[] {"limit=0", "limit=1001", "offset=-1", "offset=x", "sort=age", "statuses=FINE"}) {
            assertThat(foreigner.get(path + "/projects?" + query).code())
                    .as(query)
                    .isEqualTo("invalid_parameter");
        }
        for (String below : new String[] {"", "/members", "/projects"}) {
            assertThat(ADMIN.get(path + below).code()).as(below).isEqualTo("not_found");
        }
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
