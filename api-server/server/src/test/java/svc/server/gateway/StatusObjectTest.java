package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class StatusObjectTest {
    private final Http anyone = Http.host("api.svc.example");

    @Test
    void theGatewaySaysWhatItIs() {
        for (String path : new String[] {"/", "/status"}) {
            JsonNode status = anyone.get(path).json();

            assertThat(status.get("status").asText()).isEqualTo("ok");
            assertThat(status.get("service").asText()).isNotBlank();
            assertThat(status.at("/planes/data"))
                    .extracting(JsonNode::asText)
                    .containsExactly(
                            "/rest/v1", "/auth/v1", "/storage/v1", "/realtime/v1", "/graphql/v1", "/functions/v1");
            assertThat(status.at("/planes/control"))
                    .extracting(JsonNode::asText)
                    .containsExactly("/v1", "/api");
            assertThat(status.at("/sql/note").asText()).isNotBlank();
            assertThat(status.at("/sql/endpoints/database_query").asText())
                    .isEqualTo("POST /v1/projects/{ref}/database/query");
            assertThat(status.at("/sql/endpoints/migrate_service_role").asText())
                    .isEqualTo("POST /api/projects/{ref}/migrate/service-role");
            assertThat(status.get("hint").asText()).isNotBlank();
        }
    }

    @Test
    void healthAndMetricsAreAtThePodsAddressOnly() {
        Http pod = Http.host("10.0.0.7:8080");
        assertThat(pod.get("/q/health").json().get("status").asText()).isEqualTo("UP");
        // Calls that do not need Redis work while it is unreachable.
        assertThat(pod.get("/q/health").text()).doesNotContain("Redis");
        assertThat(pod.get("/q/metrics").text()).contains("# TYPE");
        assertThat(pod.get("/q/health/ready").status()).isEqualTo(200);
        for (String path : new String[] {"/q/health", "/q/metrics", "/q/health/ready"}) {
            assertThat(anyone.get(path).status()).as(path).isEqualTo(404);
            assertThat(pod.with("X-Forwarded-For", "203.0.113.9").get(path).status())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    @Test
    void theOpenApiDocumentDescribesTheCalls() {
        JsonNode document = anyone.get("/v1/openapi.json").json();

        assertThat(document.at("/paths/~1v1~1projects/post/operationId").asText())
                .isEqualTo("createProject");
        assertThat(document.at("/paths/~1v1~1tokens~1{id}/patch/operationId").asText())
                .isEqualTo("updateToken");
    }
}
