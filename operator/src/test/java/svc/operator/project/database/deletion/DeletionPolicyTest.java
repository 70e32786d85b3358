package svc.operator.project.database.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.database.key.ApiKey;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;
import svc.database.platform.ProjectRecord;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.database.TestingDatabases;

/** Promise: Delete leaves nothing and kills every key; Retain keeps all and revives the same project. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeletionPolicyTest {
    private final TestingDatabases databases = TestingDatabases.create();
    private final ProjectProvisioner projects = databases.projects();

    private static String anonKey(ProjectRecord project) {
        return ApiKey.of(TestingDatabases.keys().newest().root(Purpose.ANON_KEY).leaf(project.keyScope(1)));
    }

    @Test
    void deleteRemovesEverythingAndBurnsTheKeys() throws Exception {
        ProvisionRequest request = TestingDatabases.request("deleted", databases);
        ProjectRecord project = ((Provisioned) projects.provision(request)).project();
        Connection open = databases.login(project, DatabaseRole.OWNER);
        TestingDatabases.execute(open, "CREATE TABLE t (id int); INSERT INTO t VALUES (1)");

        assertThat(projects.delete(project.projectId(), project.holder())).isEqualTo(RemoveResult.REMOVED);
        assertThat(databases.rolesAndSchemasOf(project)).isEmpty();
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> TestingDatabases.execute(open, "SELECT 1"));

        Provisioned again = (Provisioned) projects.provision(request);
        assertThat(again.change()).isEqualTo(Change.CREATED);
        assertThat(anonKey(again.project())).isNotEqualTo(anonKey(project));
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> databases.login(project, DatabaseRole.OWNER))
                .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo("28P01"));
        databases.login(again.project(), DatabaseRole.OWNER).close();
    }

    @Test
    void deleteOfOneProjectLeavesItsNeighbour() {
        ProvisionRequest neighbour = TestingDatabases.request("neighbour", databases);
        projects.provision(neighbour);
        ProvisionRequest request = TestingDatabases.request("gone", databases);
        ProjectRecord project = ((Provisioned) projects.provision(request)).project();
        projects.delete(project.projectId(), project.holder());
        assertThat(((Provisioned) projects.provision(neighbour)).steps()).isEmpty();
    }

    @Test
    void retainClosesTheLoginsAndRevivesTheSameProject() throws Exception {
        ProvisionRequest request = TestingDatabases.request("retained", databases);
        ProjectRecord project = ((Provisioned) projects.provision(request)).project();
        try (Connection owner = databases.login(project, DatabaseRole.OWNER)) {
            TestingDatabases.execute(owner, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)");
        }
        Connection open = databases.login(project, DatabaseRole.SERVICE);

        assertThat(projects.retain(project.projectId(), project.holder())).isEqualTo(RemoveResult.REMOVED);
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> TestingDatabases.execute(open, "SELECT 1"));
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> databases.login(project, DatabaseRole.API))
                .satisfies(refused -> assertThat(refused.getSQLState()).startsWith("28"));
        assertThat(projects.retain(project.projectId(), project.holder())).isEqualTo(RemoveResult.REMOVED);

        ProjectRecord revived = ((Provisioned) projects.provision(request)).project();
        assertThat(anonKey(revived)).isEqualTo(anonKey(project));
        try (Connection owner = databases.login(project, DatabaseRole.OWNER)) {
            assertThat(TestingDatabases.query(owner, "SELECT id FROM kept")).containsExactly("7");
        }
    }

    @Test
    void aRetainedProjectCanBeDeletedLater() {
        ProvisionRequest request = TestingDatabases.request("both", databases);
        ProjectRecord project = ((Provisioned) projects.provision(request)).project();
        projects.retain(project.projectId(), project.holder());
        assertThat(projects.delete(project.projectId(), project.holder())).isEqualTo(RemoveResult.REMOVED);
        assertThat(projects.delete(project.projectId(), project.holder())).isEqualTo(RemoveResult.NOTHING_HELD);
    }
}
