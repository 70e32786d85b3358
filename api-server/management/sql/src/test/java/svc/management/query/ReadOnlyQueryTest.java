package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A call that may only read changes nothing, and no call takes a parameter that it does not know. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ReadOnlyQueryTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final Http api = Http.api(TestingPlatform.ADMIN);
    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "reads");
        Http.Answer made = api.send(
                "POST",
                project.path(),
                "{\"query\":\"CREATE TABLE todos (id int, title text); INSERT INTO todos VALUES (1, 'milk')\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
    }

    private Http.Answer read(String body) {
        return api.send("POST", project.path() + "/read-only", body);
    }

    @Test
    void returnsRowsAndRefusesEveryWrite() {
        Http.Answer rows = read("{\"query\":\"SELECT title FROM todos WHERE id = $1\",\"parameters\":[1]}");
        assertThat(rows.status()).as(rows.toString()).isEqualTo(201);
        assertThat(rows.text()).isEqualTo("[{\"title\":\"milk\"}]");

        for (String write : List.of(
                "DELETE FROM todos",
                "DROP TABLE todos",
                "WITH gone AS (DELETE FROM todos RETURNING 1) SELECT * FROM gone")) {
            Http.Answer refused = read("{\"query\":\"" + write + "\"}");
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.json().path("sqlstate").asText()).as(write).isEqualTo("25006");
        }
        assertThat(read("{\"query\":\"COMMIT; DELETE FROM todos\"}").status()).isEqualTo(400);
        read("{\"query\":\"SET TRANSACTION READ WRITE; DELETE FROM todos\"}");
        assertThat(read("{\"query\":\"SELECT count(*) FROM todos\"}").text()).isEqualTo("[{\"count\":1}]");
    }

    @Test
    void takesNoOtherFields() {
        for (String body : List.of(
                "{}",
                "{\"query\":\"SELECT 1\",\"read_only\":false}",
                "{\"query\":\"SELECT 1\",\"timeout_seconds\":1}",
                "{\"query\":\"SELECT 1\",\"claims\":{}}")) {
            assertThat(read(body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    void parametersThatACallDoesNotKnowAreRefused() {
        String body = "{\"query\":\"DELETE FROM todos\"}";
        for (String parameter :
                List.of("role=anon", "AS=anon", "result=all", "read_only=true", "results=all&x", "%20as=anon")) {
            Http.Answer refused = api.send("POST", project.path() + "?" + parameter, body);
            assertThat(refused.status()).as(parameter).isEqualTo(400);
            assertThat(refused.code()).as(parameter).isEqualTo("invalid_parameter");
        }
        for (String parameter : List.of("as=anon", "results=all", "x=1")) {
            assertThat(api.send("POST", project.path() + "/read-only?" + parameter, body)
                            .code())
                    .as(parameter)
                    .isEqualTo("invalid_parameter");
        }
        assertThat(api.send("POST", project.path() + "?results=all", "{\"query\":\"SELECT 1 AS one\"}")
                        .status())
                .isEqualTo(201);
        assertThat(read("{\"query\":\"SELECT count(*) FROM todos\"}").text()).isEqualTo("[{\"count\":1}]");
    }

    @Test
    void needsThePermission() {
        String token = api.send("POST", "/v1/tokens", "{\"name\":\"t\"}")
                .json()
                .findValue("token")
                .asText();
        assertThat(Http.api(token)
                        .send("POST", project.path() + "/read-only", "{\"query\":\"SELECT 1\"}")
                        .code())
                .isEqualTo("pat_database_query_forbidden");
    }
}
