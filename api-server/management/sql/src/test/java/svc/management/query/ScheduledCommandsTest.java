package svc.management.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.extensions.cron.JobCommands;
import svc.extensions.cron.JobResult;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.server.testing.TestingPlatform;
import svc.server.testing.TestingProject;
import svc.testing.Http;

/** A command of a job goes the way of a call of the SQL endpoint: the gate, the audit, the owner's login, the limits. */
@QuarkusTest
@QuarkusTestResource(value = TestingPlatform.class)
class ScheduledCommandsTest {
    @Inject
    KubernetesClient client;

    @Inject
    TenantDirectory tenants;

    @Inject
    JobCommands commands;

    private TestingProject project;

    @BeforeEach
    void makeProject() {
        project = TestingProject.create(client, tenants, "jobs");
    }

    private JobResult run(String command) {
        Tenant tenant = tenants.find(project.ref()).orElseThrow();
        return commands.run(tenant, 1, command);
    }

    @Test
    void runsAsTheOwnerThroughTheGate() {
        assertThat(run("CREATE TABLE public.ticks (at timestamptz); INSERT INTO public.ticks VALUES (now())"))
                .isEqualTo(JobResult.success("INSERT 0 1"));
        assertThat(run("SELECT * FROM public.ticks")).isEqualTo(JobResult.success("1 row"));
        assertThat(run("SELECT 1 WHERE false")).isEqualTo(JobResult.success("0 rows"));
        assertThat(run("SELECT current_user = '" + project.owner().names().schemaName()
                        + "_owner' AS own FROM ticks WHERE" + " current_user = '"
                        + project.owner().names().schemaName() + "_owner'"))
                .isEqualTo(JobResult.success("1 row"));
    }

    @Test
    void whatFailsOrIsRefusedIsSaid() {
        assertThat(run("SELECT * FROM missing").message()).startsWith("ERROR: ").contains("missing");
        assertThat(run("SELECT 1/0").succeeded()).isFalse();
        assertThat(run("COMMIT; DROP TABLE x").succeeded()).isFalse();
        assertThat(run("COPY ticks TO PROGRAM 'id'").message()).startsWith("ERROR: ");
        assertThat(run("not SQL").succeeded()).isFalse();
        assertThat(run("SELECT * FROM svc_cron.stored_job").succeeded()).isFalse();
    }

    @Test
    void jobsHaveALimitOfTheirOwn() {
        for (int i = 0; i < 120; i++) {
            run("SELECT 1");
        }
        assertThat(run("SELECT 1").message()).startsWith("ERROR: the project has used its runs of jobs");
        Http.Answer call = Http.api(TestingPlatform.ADMIN).send("POST", project.path(), "{\"query\":\"SELECT 1\"}");
        assertThat(call.status()).as(call.toString()).isEqualTo(201);
    }
}
