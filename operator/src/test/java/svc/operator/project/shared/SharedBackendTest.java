package svc.operator.project.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import svc.crds.project.DatabaseLayout;
import svc.crds.project.Project;
import svc.crds.project.ProjectDatabase;
import svc.database.key.Incarnation;
import svc.database.name.Layout;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.platform.ProjectRecord;
import svc.database.project.companion.Companion;
import svc.operator.project.backend.BackendResult;
import svc.operator.project.backend.RemovalResult;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.ProvisionResult.Change;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.failure.Failure;

/** Promise: the spec decides which shared databases are asked for a project, and the status names the one that has it. */
class SharedBackendTest {
    private static final ProjectDatabase FIRST =
            new ProjectDatabase("first", "db1.example", 5432, "svc", DatabaseLayout.SHARED);
    private static final ProjectDatabase SECOND =
            new ProjectDatabase("second", "db2.example", 5432, "svc", DatabaseLayout.SHARED);

    private final FakeProvisioner provisioner = new FakeProvisioner();
    private final SharedBackend backend = new SharedBackend(provisioner, locations());

    @Test
    void anyConfiguredDatabaseInTheirOrder() {
        backend.reconcile(project("{}", "{}"));

        assertThat(provisioner.request.placement()).isEqualTo(new Placement.Shared(List.of("first", "second")));
    }

    @Test
    void onlyTheNamedDatabase() {
        backend.reconcile(project("{shared: second}", "{}"));

        assertThat(provisioner.request.placement()).isEqualTo(new Placement.Shared(List.of("second")));
    }

    @Test
    void theRequestCarriesHolderAndLimitsOfTheSpec() {
        backend.reconcile(project("{}", "{}"));

        assertThat(provisioner.request.holder()).isEqualTo(new Holder("team", "shop"));
        assertThat(provisioner.request.limits().logins().values())
                .isNotEmpty()
                .allSatisfy(settings -> assertThat(settings.connectionLimit()).isEqualTo(7));
    }

    @Test
    void readyWithTheLocationThatTheRegistryNames() {
        provisioner.databaseName = "second";

        var ready = (BackendResult.Ready) backend.reconcile(project("{}", "{}"));

        assertThat(ready.location()).isEqualTo(SECOND);
        assertThat(ready.schema())
                .isEqualTo("proj_" + provisioner.request.projectId().toString().replace("-", ""));
        assertThat(ready.companionVersion()).hasValue(Companion.current().version());
    }

    @Test
    void conflictedWithoutALocation() {
        provisioner.conflict = true;

        assertThat(backend.reconcile(project("{}", "{}"))).isEqualTo(new BackendResult.Conflicted("ref shopshop"));
    }

    @Test
    void refusesADatabaseThatIsNotConfigured() {
        assertThat(backend.refusal(project("{shared: elsewhere}", "{}")))
                .map(Failure::reason)
                .contains("DatabaseMissing");
    }

    @Test
    void refusesRolesOfAnExistingDatabase() {
        assertThat(backend.refusal(project("{}", "{anonRole: anon}")))
                .map(Failure::reason)
                .contains("NothingToAdopt");
    }

    @Test
    void refusesNothingElse() {
        assertThat(backend.refusal(project("{}", "{}"))).isEmpty();
        assertThat(backend.refusal(project("{shared: first}", "{}"))).isEmpty();
    }

    @Test
    void removesOnlyWhatTheResourceHolds() {
        Project project = project("{}", "{}");
        assertThat(backend.retain(project)).isInstanceOf(RemovalResult.Removed.class);
        assertThat(backend.delete(project)).isInstanceOf(RemovalResult.Removed.class);

        provisioner.removal = RemoveResult.NOTHING_HELD;

        assertThat(backend.retain(project)).isEqualTo(new RemovalResult.NotHeld());
        assertThat(backend.delete(project)).isEqualTo(new RemovalResult.NotHeld());
    }

    private static Map<String, ProjectDatabase> locations() {
        Map<String, ProjectDatabase> locations = new LinkedHashMap<>();
        locations.put("first", FIRST);
        locations.put("second", SECOND);
        return locations;
    }

    private static Project project(String database, String rest) {
        return Serialization.unmarshal("""
                apiVersion: svc.platform/v1alpha1
                kind: Project
                metadata: {name: shop, namespace: team}
                spec: {name: shop, database: %s, rest: %s, limits: {connections: 7}}
                """.formatted(database, rest), Project.class);
    }

    /** Answers as set and keeps the last request. */
    private static final class FakeProvisioner implements ProjectProvisioner {
        private ProvisionRequest request;
        private String databaseName = "first";
        private boolean conflict;
        private RemoveResult removal = RemoveResult.REMOVED;

        @Override
        public ProvisionResult provision(ProvisionRequest request) {
            this.request = request;
            if (conflict) {
                return new ProvisionResult.Conflict(new Holder("other", "shop"), "ref shopshop");
            }
            var project = new ProjectRecord(
                    request.projectId(),
                    request.ref(),
                    Layout.SHARED,
                    request.holder(),
                    databaseName,
                    Incarnation.of(new byte[Incarnation.BYTES]),
                    1,
                    1,
                    Set.of(),
                    ProjectRecord.State.ACTIVE);
            return new ProvisionResult.Provisioned(project, Change.NONE, List.of());
        }

        @Override
        public RemoveResult retain(UUID projectId, Holder holder) {
            return removal;
        }

        @Override
        public RemoveResult delete(UUID projectId, Holder holder) {
            return removal;
        }
    }
}
