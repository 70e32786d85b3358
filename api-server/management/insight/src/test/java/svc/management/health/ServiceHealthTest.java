package svc.management.health;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** The health of services as the Management API reports it. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ServiceHealthTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    /** On a busy machine a first connection may take longer than the usual limit. */
    private static final String PATIENTLY = "&timeout_ms=10000";

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Test
    void aServiceIsHealthyWhileItsDatabaseAnswers() {
        TestingProject project = TestingProject.create(client, tenants, "healthy");
        String path = "/v1/projects/" + project.ref() + "/health";
        JsonNode health =
                API.get(path + "?services=rest,db&services=auth" + PATIENTLY).json();

        assertThat(health.toString())
                .isEqualTo("[{\"name\":\"rest\",\"healthy\":true,\"status\":\"ACTIVE_HEALTHY\"},"
                        + "{\"name\":\"db\",\"healthy\":true,\"status\":\"ACTIVE_HEALTHY\"},"
                        + "{\"name\":\"auth\",\"healthy\":true,\"status\":\"ACTIVE_HEALTHY\"}]");
        assertThat(API.get(path).json().findValuesAsText("name"))
                .containsExactly(
                        "auth", "db", "db_postgres_user", "functions", "graphql", "realtime", "rest", "storage");
        assertThat(API.get(path + "?services=pg_bouncer&services=pooler" + PATIENTLY)
                        .json()
                        .findValuesAsText("status"))
                .containsExactly("ACTIVE_HEALTHY", "ACTIVE_HEALTHY");
    }

    @Test
    void whatIsWrongIsSaid() {
        // Its status names a database that is not there.
        String unreachable =
                "/v1/projects/" + ProjectForTests.create("unreachable").ref();
        JsonNode health = API.get(unreachable + "/health?services=auth,db").json();
        assertThat(health.findValuesAsText("status")).containsExactly("UNHEALTHY", "UNHEALTHY");
        assertThat(health.at("/1/error").asText()).isNotEmpty();

        String coming = API.send("POST", "/v1/projects", "{\"name\":\"stuck health\"}")
                .json()
                .at("/project/ref")
                .asText();
        assertThat(API.get("/v1/projects/" + coming + "/health?services=db")
                        .json()
                        .at("/0/status")
                        .asText())
                .isEqualTo("COMING_UP");
    }

    @Test
    void aDisabledServiceIsNotHealthy() {
        String path = "/v1/projects/" + ProjectForTests.create("disabled").ref();
        assertThat(API.send("PATCH", path + "/config/realtime", "{\"suspend\":true}")
                        .status())
                .isEqualTo(204);
        await().untilAsserted(() -> {
            JsonNode health = API.get(path + "/health?services=realtime").json();
            assertThat(health.at("/0/error").asText()).isEqualTo("The service is disabled for the project.");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "services=nothing",
                "services=auth,nothing",
                "timeout_ms=-1",
                "timeout_ms=abc",
                "timeout_ms=10001"
            })
    void whatIsNotAParameterIsRefused(String query) {
        Http.Answer refused =
                API.get("/v1/projects/" + ProjectForTests.create("asked").ref() + "/health?" + query);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.code()).isEqualTo("invalid_parameter");
    }
}
