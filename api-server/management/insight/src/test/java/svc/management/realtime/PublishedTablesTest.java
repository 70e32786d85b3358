package svc.management.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** The list of published tables is what the Management API says. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class PublishedTablesTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "realtime");
        Http.Answer made = api.send(
                "POST",
                "/v1/projects/" + project.ref() + "/database/query",
                "{\"query\":\"create table a (id int primary key); create table \\\"B c\\\" (id int primary key)\"}");
        assertThat(made.status()).isEqualTo(201);
    }

    private Http.Answer put(String body) {
        return api.send("PUT", "/v1/projects/" + project.ref() + "/realtime", body);
    }

    private String listed() {
        JsonNode tables = api.get("/v1/projects/" + project.ref() + "/realtime").json();
        return tables.get("published_tables").toString();
    }

    @Test
    void tablesAreSetAndTakenOut() {
        assertThat(listed()).isEqualTo("[]");
        assertThat(put("{\"published_tables\":[\"a\",\"B c\",\"a\"]}").status()).isEqualTo(200);
        assertThat(listed()).isEqualTo("[\"B c\",\"a\"]");
        assertThat(put("{\"published_tables\":[\"a\"]}").json().toString()).isEqualTo("{\"published_tables\":[\"a\"]}");
        assertThat(put("{\"published_tables\":[]}").status()).isEqualTo(200);
        assertThat(listed()).isEqualTo("[]");
    }

    @Test
    void whatCannotBePublishedIsRefusedAndChangesNothing() {
        put("{\"published_tables\":[\"a\"]}");
        assertThat(put("{\"published_tables\":[\"a\",\"nowhere\"]}").status()).isEqualTo(400);
        assertThat(put("{\"published_tables\":[\"a\\\"; drop table a; --\"]}").status())
                .isEqualTo(400);
        assertThat(put("{\"published_tables\":[\"\"]}").status()).isEqualTo(400);
        assertThat(put("{\"published_tables\":[null]}").status()).isEqualTo(400);
        assertThat(put("{}").status()).isEqualTo(400);
        assertThat(listed()).isEqualTo("[\"a\"]");
        assertThat(api.get("/v1/projects/nothere1/realtime").status()).isEqualTo(404);
    }

    @Test
    void whatClientsHaveOpenIsShown() {
        JsonNode shown = api.get("/v1/projects/" + project.ref() + "/realtime").json();
        for (String count : new String[] {
            "connections",
            "channels",
            "subscriptions",
            "joins_per_second",
            "messages_per_second",
            "lag_bytes",
            "instances"
        }) {
            assertThat(shown.get(count).isIntegralNumber()).as(count).isTrue();
            assertThat(shown.get(count).asLong()).as(count).isZero();
        }
    }
}
