package svc.operator.project.shared;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import svc.crds.project.Project;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.database.platform.Placement;
import svc.database.project.companion.Companion;
import svc.operator.project.backend.BackendResult;
import svc.operator.project.backend.ProjectBackend;
import svc.operator.project.backend.ProvisionRequests;
import svc.operator.project.backend.RemovalResult;
import svc.operator.project.database.ProjectProvisioner;
import svc.operator.project.database.ProvisionResult.Conflict;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.SpecFailures;

/** Projects in one of the configured shared databases: the one that the spec names, else the least loaded. */
public final class SharedBackend implements ProjectBackend {
    private final ProjectProvisioner provisioner;
    private final Map<String, ProjectDatabase> locations;

    /** @param locations by configured name; of equally loaded databases the first one here gets a new project */
    public SharedBackend(ProjectProvisioner provisioner, Map<String, ProjectDatabase> locations) {
        this.provisioner = provisioner;
        this.locations = Collections.unmodifiableMap(new LinkedHashMap<>(locations));
    }

    @Override
    public Optional<Failure> refusal(Project project) {
        return SpecFailures.ofAnonRole(project)
                .or(() -> named(project)
                        .filter(name -> !locations.containsKey(name))
                        .map(SpecFailures::sharedDatabaseMissing));
    }

    @Override
    public BackendResult reconcile(Project project) {
        return switch (provisioner.provision(ProvisionRequests.of(project, placement(project)))) {
            case Conflict conflict -> new BackendResult.Conflicted(conflict.what());
            case Provisioned provisioned ->
                new BackendResult.Ready(
                        provisioned,
                        locations.get(provisioned.project().databaseName()),
                        provisioned.project().names().schemaName(),
                        OptionalInt.of(Companion.current().version()));
        };
    }

    private Placement placement(Project project) {
        return new Placement.Shared(named(project).map(List::of).orElseGet(() -> List.copyOf(locations.keySet())));
    }

    private static Optional<String> named(Project project) {
        return Optional.ofNullable(project.getSpec().database().shared());
    }

    @Override
    public RemovalResult retain(Project project) {
        return switch (provisioner.retain(ProjectIdentity.of(project).projectId(), ProvisionRequests.holder(project))) {
            case NOTHING_HELD -> new RemovalResult.NotHeld();
            case REMOVED -> new RemovalResult.Removed("Its logins are closed; its data and keys are kept.");
        };
    }

    @Override
    public RemovalResult delete(Project project) {
        return switch (provisioner.delete(ProjectIdentity.of(project).projectId(), ProvisionRequests.holder(project))) {
            case NOTHING_HELD -> new RemovalResult.NotHeld();
            case REMOVED -> new RemovalResult.Removed("Its data is dropped and its keys are revoked.");
        };
    }

    @Override
    public boolean isOnExternalServer() {
        return false;
    }

    @Override
    public boolean needsClusterEvents(Project project) {
        return false;
    }
}
