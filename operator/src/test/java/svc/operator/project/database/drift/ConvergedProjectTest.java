package svc.operator.project.database.drift;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.database.name.DatabaseRole;
import svc.database.project.ObjectKind;
import svc.database.project.ObjectLimits;
import svc.database.project.ProjectLimits;
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
    void isCreatedAgainAfterItsEnd() {
        ProvisionRequest request = TestingDatabases.request("converged", databases);
        settle(request);

        projects.retain(request.projectId(), request.holder());

        assertThat(look(request).change()).isEqualTo(Change.REPAIRED);
        projects.delete(request.projectId(), request.holder());
        assertThat(look(request).change()).isEqualTo(Change.CREATED);
        settle(request);
    }

    @Test
    void theGuardKnowsTheLimitsOfObjectsThatTheSpecSets() throws Exception {
        ProvisionRequest standard = TestingDatabases.request("limited", databases);
        ProvisionRequest small = new ProvisionRequest(
                standard.projectId(),
                standard.ref(),
                standard.holder(),
                standard.placement(),
                new ProjectLimits(standard.limits().logins(), new ObjectLimits(Map.of(ObjectKind.RELATIONS, 1))),
                1,
                false);
        settle(small);
        assertThat(secondTable(small)).isEqualTo("54000");

        assertThat(look(standard).change()).isEqualTo(Change.REPAIRED);
        settle(standard);
        assertThat(secondTable(standard)).isEqualTo("00000");
    }

    /** The SQLSTATE of two tables that the owner makes. */
    private String secondTable(ProvisionRequest request) throws Exception {
        try (Connection owner = databases.login(look(request).project(), DatabaseRole.OWNER);
                var statement = owner.createStatement()) {
            statement.execute("CREATE TABLE one (); CREATE TABLE two ()");
            return "00000";
        } catch (SQLException refused) {
            return refused.getSQLState();
        }
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
                request.limits(),
                version,
                false);
    }
}
