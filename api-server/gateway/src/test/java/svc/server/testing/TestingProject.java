package svc.server.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.UUID;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.Project;
import svc.crds.project.ProjectDatabase;
import svc.database.name.ProjectNames;
import svc.embedded.postgres.EmbeddedPostgres;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.script.TestingOwner;
import svc.testing.Http;

/** A project created through the API, with its schema in a real, hardened database. */
public record TestingProject(String ref, TestingOwner owner) {
    public static TestingProject create(KubernetesClient client, TenantDirectory tenants, String name) {
        return create(client, tenants, TestingPlatform.ADMIN, name);
    }

    /** Of the organisation of that token. */
    public static TestingProject create(KubernetesClient client, TenantDirectory tenants, String token, String name) {
        Http.Answer answer = Http.api(token).send("POST", "/v1/projects", "{\"name\":\"" + name + "\"}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        JsonNode project = answer.json().path("project");
        String ref = ProjectForTests.served(project);
        UUID id = ProjectNames.projectIdOf(project.path("schema").asText()).orElseThrow();
        TestingOwner owner = TestingOwner.of(id);
        RequestedTables.serve(owner);
        EmbeddedPostgres server = TestingOwner.SERVER;
        TestingProjectOperator.retried(() -> client.resources(Project.class)
                .inNamespace(TestingPlatform.NAMESPACE)
                .withName(ref)
                .editStatus(current -> {
                    current.setStatus(current.getStatus().toBuilder()
                            .database(new ProjectDatabase(
                                    "main", "127.0.0.1", server.port(), TestingOwner.DATABASE, DatabaseLayout.SHARED))
                            .build());
                    return current;
                }));
        await().alias("the directory follows the status of " + ref)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> tenants.find(ref)
                        .filter(tenant -> tenant.database().jdbcUrl().equals(owner.jdbcUrl()))
                        .isPresent());
        return new TestingProject(ref, owner);
    }

    public String path() {
        return "/v1/projects/" + ref + "/database/query";
    }
}
