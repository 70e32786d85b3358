package svc.operator.project.database.drift;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.TestingDatabases;

/** Promise: a project that stayed converged follows a changed request, and manual changes are repaired, at the next reconciliation. */
class ConvergedProjectTest {
    private final TestingDatabases databases = TestingDatabases.create();
    private final ProjectProvisioner projects = databases.projects();

    @Test
    void followsTheNextWishAndTheOneBefore() {
        ProvisionRequest first = TestingDatabases.request("converged", databases);
        ProvisionRequest second = withLoginKey(first, 2);
        settle(first);

        assertThat(look(second).change()).isEqualTo(Change.REPAIRED);
        settle(second);

        assertThat(look(first).change()).isEqualTo(Change.REPAIRED);
        settle(first);
    }

    @Test
    void isRepairedAndSettlesAgain() {
        ProvisionRequest request = TestingDatabases.request("converged", databases);
        settle(request);
        String schema = look(request).project().names().schemaName();

        databases.asOperator("ALTER ROLE " + schema + "_api SUPERUSER");

        assertThat(look(request).change()).isEqualTo(Change.REPAIRED);
        settle(request);
    }

    @Test
    void isMadeAnewAfterItsEnd() {
        ProvisionRequest request = TestingDatabases.request("converged", databases);
        settle(request);

        projects.retain(request.projectId(), request.holder());

        assertThat(look(request).change()).isEqualTo(Change.REPAIRED);
        projects.delete(request.projectId(), request.holder());
        assertThat(look(request).change()).isEqualTo(Change.CREATED);
        settle(request);
    }

    private void settle(ProvisionRequest request) {
        look(request);
        for (int look = 0; look < 3; look++) {
            assertThat(look(request).change()).isEqualTo(Change.NONE);
        }
    }

    private Provisioned look(ProvisionRequest request) {
        return (Provisioned) projects.provision(request);
    }

    private static ProvisionRequest withLoginKey(ProvisionRequest request, int version) {
        return new ProvisionRequest(
                request.projectId(),
                request.ref(),
                request.holder(),
                request.placement(),
                request.settings(),
                version,
                false);
    }
}
