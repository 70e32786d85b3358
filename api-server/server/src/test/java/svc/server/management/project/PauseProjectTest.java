package svc.server.management.project;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A paused project serves nothing, says so, and is served again after it is restored. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class PauseProjectTest {
    private static final Http API = Http.api(TestingPlatform.ADMIN);

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private final ProjectForTests project = ProjectForTests.create("pausable");
    private final String path = "/v1/projects/" + project.ref();

    private String state() {
        return API.get(path).json().get("status").asText();
    }

    private static void until(Supplier<String> seen, String wanted) {
        await().untilAsserted(() -> assertThat(seen.get()).isEqualTo(wanted));
    }

    private String echo(ProjectForTests of) {
        Http.Answer answer = of.http().with("apikey", of.anonKey()).get("/realtime/v1/echo");
        return answer.status() == 503 ? answer.json().get("code").asText() : "served";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/rest/v1/todos",
                "/auth/v1/health",
                "/storage/v1/object/public/a/b",
                "/functions/v1/f",
                "/graphql/v1",
                "/realtime/v1/websocket",
                "/anything"
            })
    void noServiceAnswersWhileItIsPaused(String service) {
        ProjectForTests neighbour = ProjectForTests.create("beside");
        Http.Answer paused = API.send("POST", path + "/pause", "");
        assertThat(paused.status()).as(paused.toString()).isEqualTo(200);
        assertThat(paused.text()).isEmpty();
        until(this::state, "INACTIVE");
        until(() -> echo(project), "project_paused");

        Http.Answer refused = project.http().with("apikey", project.anonKey()).get(service);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("project_paused");
        assertThat(refused.json().get("message").asText()).contains("paused");
        assertThat(refused.header("access-control-allow-origin")).isPresent();
        assertThat(echo(neighbour)).isEqualTo("served");
    }

    @Test
    void restoringServesItAgain() {
        API.send("POST", path + "/pause", "");
        until(() -> echo(project), "project_paused");
        assertThat(API.send("POST", path + "/pause", "").status()).isEqualTo(200);

        Http.Answer restored = API.send("POST", path + "/restore", "");

        assertThat(restored.status()).as(restored.toString()).isEqualTo(200);
        until(() -> echo(project), "served");
        until(this::state, "ACTIVE_HEALTHY");
        assertThat(API.get(path + "/restore").json().toString()).isEqualTo("{\"available_versions\":[]}");
        assertThat(API.send("POST", path + "/restore/cancel", "").code()).isEqualTo("project_conflict");
    }

    @Test
    void theControlPlaneSaysWhatToDo() {
        TestingProject with = TestingProject.create(client, tenants, "paused with database");
        String base = "/v1/projects/" + with.ref();
        API.send("POST", base + "/pause", "");
        await().untilAsserted(() -> assertThat(tenants.find(with.ref())).isEmpty());

        Http.Answer refused = API.send("POST", with.path(), "{\"query\":\"select 1\"}");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("project_paused");
        assertThat(refused.json().get("hint").asText()).contains("POST " + base + "/restore");
        for (String read : new String[] {"/types/typescript", "/advisors/security", "/database/context"}) {
            assertThat(API.get(base + read).code()).as(read).isEqualTo("project_paused");
        }
        assertThat(API.send("POST", base + "/functions/deploy", "{\"name\":\"f\",\"source\":\"\"}")
                        .code())
                .isEqualTo("project_paused");
        assertThat(API.get(base + "/api-keys").status()).isEqualTo(200);
        assertThat(API.get(base + "/health?services=db").json().at("/0/error").asText())
                .isEqualTo("The project is paused.");
    }

    @Test
    void aQuarantinedProjectIsClosedAndBothPlanesSayHowItComesBack() {
        TestingProject closed = TestingProject.create(client, tenants, "quarantined");
        client.resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(closed.ref())
                .editStatus(found -> {
                    found.setStatus(found.getStatus().toBuilder()
                            .conditions(found.conditions()
                                    .markFalse(
                                            ProjectCondition.DATABASE_READY, ProjectCondition.QUARANTINED, "Too much.")
                                    .at(Instant.now()))
                            .build());
                    return found;
                });
        await().untilAsserted(() -> assertThat(tenants.find(closed.ref())).isEmpty());

        Http.Answer data = Http.project(closed.ref()).get("/rest/v1/todos");
        assertThat(data.status()).as(data.toString()).isEqualTo(503);
        assertThat(data.code()).isEqualTo("project_quarantined");
        Http.Answer sql = API.send("POST", closed.path(), "{\"query\":\"select 1\"}");
        assertThat(sql.status()).as(sql.toString()).isEqualTo(409);
        assertThat(sql.json().get("message").asText()).contains("quarantine");
        assertThat(sql.json().get("hint").asText()).contains("/pause", "/restore");
    }

    @Test
    void kubectlPausesItToo() {
        client.resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(project.ref())
                .edit(found -> {
                    found.setSpec(found.getSpec().toBuilder().suspend(true).build());
                    return found;
                });

        until(() -> echo(project), "project_paused");
        until(this::state, "INACTIVE");
    }

    @Test
    void othersMayNot() {
        Http plain = Http.api(API.send("POST", "/v1/tokens", "{\"name\":\"plain\"}")
                .json()
                .get("token")
                .asText());

        assertThat(plain.send("POST", path + "/pause", "").code()).isEqualTo("pat_projects_create_forbidden");
        assertThat(plain.send("POST", path + "/restore", "").code()).isEqualTo("pat_projects_create_forbidden");
        assertThat(API.send("POST", "/v1/projects/nothere1/pause", "").code()).isEqualTo("project_not_found");
    }
}
