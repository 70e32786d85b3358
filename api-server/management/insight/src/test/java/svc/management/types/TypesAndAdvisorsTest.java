package svc.management.types;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** Types and advisors over HTTP, as an agent reads them after a migration. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class TypesAndAdvisorsTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);

    @Test
    void describeWhatAMigrationMade() {
        TestingProject project = TestingProject.create(client, tenants, "described");
        String base = "/v1/projects/" + project.ref();
        String sql = "CREATE TABLE public.todos (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text)";
        assertThat(api.send(
                                "POST",
                                project.path(),
                                new ObjectMapper()
                                        .createObjectNode()
                                        .put("query", sql)
                                        .toString())
                        .status())
                .isEqualTo(201);

        String types = api.get(base + "/types/typescript?included_schemas=public,graphql_public")
                .json()
                .get("types")
                .asText();
        assertThat(types)
                .contains("      todos: {")
                .contains("title?: string | null")
                .contains("id?: never");
        Map.of(
                        "go",
                        "type PublicTodosInsert struct",
                        "swift",
                        "struct TodosInsert",
                        "python",
                        "class PublicTodosInsert")
                .forEach((language, head) -> assertThat(
                                api.get(base + "/types/" + language + "?included_schemas=public,graphql_public")
                                        .json()
                                        .get("types")
                                        .asText())
                        .contains(head));

        JsonNode lints = api.get(base + "/advisors/security").json().get("lints");
        assertThat(lints.findValuesAsText("cache_key")).contains("rls_disabled_in_public_public_todos");
        assertThat(lints.get(0).properties())
                .extracting(Map.Entry::getKey)
                .containsExactly(
                        "name",
                        "title",
                        "level",
                        "facing",
                        "categories",
                        "description",
                        "detail",
                        "remediation",
                        "metadata",
                        "cache_key");
        assertThat(api.get(base + "/advisors/performance").json().get("lints").isArray())
                .isTrue();
    }

    @Test
    void needThePermissionAndAProjectOfTheOrganisation() {
        TestingProject project = TestingProject.create(client, tenants, "guarded");
        Http plain = Http.api(api.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText());
        for (String path : new String[] {
            "/types/typescript",
            "/types/go",
            "/types/swift",
            "/types/python",
            "/advisors/security",
            "/advisors/performance"
        }) {
            assertThat(plain.get("/v1/projects/" + project.ref() + path).code())
                    .isEqualTo("pat_database_query_forbidden");
            assertThat(api.get("/v1/projects/nothere1" + path).code()).isEqualTo("project_not_found");
        }
        for (String language : new String[] {"typescript", "go", "swift", "python"}) {
            Http.Answer unknown =
                    api.get("/v1/projects/" + project.ref() + "/types/" + language + "?included_schemas=pubic");
            assertThat(unknown.status()).isEqualTo(400);
            assertThat(unknown.code()).isEqualTo("invalid_parameter");
        }
        assertThat(api.get("/v1/projects/" + project.ref() + "/types/cobol").code())
                .isEqualTo("not_found");
    }
}
