package svc.management.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ApiKeysTest {
    private static final Http ADMIN = Http.api(TestingPlatform.ADMIN);

    private final ProjectForTests project = ProjectForTests.create("keys");
    private final String path = "/v1/projects/" + project.ref() + "/api-keys";

    @Test
    void theServiceKeyIsShownToThoseWhoAskAndMayRunSql() {
        JsonNode hidden = ADMIN.get(path).json();
        JsonNode revealed = ADMIN.get(path + "?reveal=true").json();

        assertThat(hidden.at("/0/api_key").asText()).isEqualTo(project.anonKey());
        assertThat(hidden.at("/1/name").asText()).isEqualTo("service_role");
        assertThat(hidden.at("/1").has("api_key")).isFalse();
        assertThat(revealed.at("/1/api_key").asText()).isEqualTo(project.serviceKey());
    }

    @Test
    void noKeyIsAJsonWebToken() {
        assertThat(ADMIN.get(path + "/legacy").json().toString()).isEqualTo("{\"enabled\":false}");
        assertThat(ADMIN.send("PUT", path + "/legacy?enabled=false").json().toString())
                .isEqualTo("{\"enabled\":false}");
        assertThat(ADMIN.send("PUT", path + "/legacy?enabled=true").code()).isEqualTo("invalid_parameter");
        assertThat(ADMIN.send("PUT", path + "/legacy").code()).isEqualTo("invalid_parameter");
    }

    @Test
    void oneIsGotByItsName() {
        assertThat(ADMIN.get(path + "/anon").json().get("api_key").asText()).isEqualTo(project.anonKey());
        assertThat(ADMIN.get(path + "/service_role").json().has("api_key")).isFalse();
        assertThat(ADMIN.get(path + "/nothing").code()).isEqualTo("not_found");
    }

    @Test
    void othersAreRefused() {
        String plain = ADMIN.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText();

        assertThat(Http.api(plain).get(path).status()).isEqualTo(200);
        Http.Answer refused = Http.api(plain).get(path + "?reveal=true");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.code()).isEqualTo("pat_database_query_forbidden");
        assertThat(ADMIN.get("/v1/projects/zzzzzzzz/api-keys").code()).isEqualTo("project_not_found");
        String stuck = ADMIN.send("POST", "/v1/projects", "{\"name\":\"stuck keys\"}")
                .json()
                .at("/project/ref")
                .asText();
        assertThat(ADMIN.get("/v1/projects/" + stuck + "/api-keys").code()).isEqualTo("project_not_ready");
    }
}
