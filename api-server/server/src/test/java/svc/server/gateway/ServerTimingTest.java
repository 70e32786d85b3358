package svc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.ProjectIdentity;
import svc.database.name.ProjectNames;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/**
 * Promise: if it is enabled, REST responses report the time of their stages in Server-Timing, with PostgREST's names
 * and order.
 */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
class ServerTimingTest {
    private static final Pattern STAGES = Pattern.compile(
            "jwt;dur=([0-9.]+), parse;dur=[0-9.]+, plan;dur=[0-9.]+, transaction;dur=[0-9.]+, response;dur=[0-9.]+");

    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    private Http keyed;

    @BeforeEach
    void makeProject() {
        TestingProject made = TestingProject.create(client, tenants, "timed");
        UUID id = ProjectNames.projectIdOf(made.owner().names().schemaName()).orElseThrow();
        var project = new ProjectForTests(new ProjectIdentity(made.ref(), id));
        String created = "{\"query\":\"CREATE TABLE clock (id int PRIMARY KEY)\"}";
        assertThat(Http.api(TestingPlatform.ADMIN)
                        .send("POST", made.path(), created)
                        .status())
                .isEqualTo(201);
        keyed = project.http().with("apikey", project.anonKey());
    }

    @Test
    void everyStageIsNamed() {
        Http.Answer answer = keyed.get("/rest/v1/clock");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        Matcher stages = STAGES.matcher(answer.header("server-timing").orElse(""));
        assertThat(stages.matches())
                .as(answer.header("server-timing").toString())
                .isTrue();
    }

    @Test
    void anErrorNamesThoseThatItCameTo() {
        assertThat(keyed.get("/rest/v1/clock?id=nothing")
                        .header("server-timing")
                        .orElse(""))
                .startsWith("jwt;dur=")
                .contains("response;dur=")
                .doesNotContain("transaction");
    }
}
