package svc.operator.project.dedicated;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectIdentity;
import svc.database.platform.Holder;
import svc.database.platform.Placement;
import svc.database.project.companion.Companion;
import svc.operator.project.backend.BackendResult;
import svc.operator.project.backend.ProjectBackend;
import svc.operator.project.backend.ProvisionRequests;
import svc.operator.project.backend.RemovalResult;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecrets;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult.Conflict;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.dedicated.cluster.ClusterProgress.NotYet;
import svc.operator.project.dedicated.cluster.ClusterProgress.Up;
import svc.operator.project.dedicated.cluster.ProjectClusters;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.SpecFailures;

/**
 * Projects with an initially empty database of their own: in a CloudNativePG Cluster that the operator creates, or on a
 * server that a connection Secret names.
 */
public final class DedicatedBackend implements ProjectBackend {
    private final DedicatedDatabase database;
    private final ProjectClusters clusters;
    private final ConnectionSecrets connections;

    public DedicatedBackend(DedicatedDatabase database, ProjectClusters clusters, ConnectionSecrets connections) {
        this.database = database;
        this.clusters = clusters;
        this.connections = connections;
    }

    @Override
    public Optional<Failure> refusal(Project project) {
        return SpecFailures.ofAnonRole(project);
    }

    /** The claim comes before the Cluster: a resource that lost a conflict must not create one. */
    @Override
    public BackendResult reconcile(Project project) {
        UUID projectId = ProjectIdentity.of(project).projectId();
        ProvisionRequest request =
                ProvisionRequests.of(project, new Placement.Dedicated(DedicatedDatabase.registeredName(projectId)));
        Optional<Conflict> conflict = database.claim(request);
        if (conflict.isPresent()) {
            return new BackendResult.Conflicted(conflict.get().what());
        }
        if (!hasCluster(project)) {
            String secretName = ConnectionSecrets.nameOf(project).orElseThrow();
            return provision(request, connections.of(project), secretName);
        }
        return switch (clusters.reconcile(project)) {
            case Up(var connection) -> provision(request, connection, ProjectClusters.name(request.ref()));
            case NotYet(var reason, var message) ->
                new BackendResult.Waiting(new Failure(
                        ProjectCondition.DATABASE_READY,
                        reason.conditionReason(),
                        message,
                        reason.needsIntervention(),
                        true));
        };
    }

    private BackendResult provision(ProvisionRequest request, Complete connection, String name) {
        return switch (database.provision(request, connection)) {
            case Conflict conflict -> new BackendResult.Conflicted(conflict.what());
            case Provisioned provisioned ->
                new BackendResult.Ready(
                        provisioned,
                        DedicatedLocation.of(connection, name),
                        provisioned.project().names().schemaName(),
                        OptionalInt.of(Companion.current().version()),
                        Optional.of(
                                new BackendResult.OwnLog(database.prepareRealtime(provisioned.project(), connection))));
        };
    }

    @Override
    public RemovalResult retain(Project project) {
        return result(removeKeepingData(project), "Its logins are closed; its data and keys are kept.");
    }

    private RemoveResult removeKeepingData(Project project) {
        UUID projectId = ProjectIdentity.of(project).projectId();
        Holder holder = ProvisionRequests.holder(project);
        if (!hasCluster(project)) {
            return database.retain(projectId, holder, () -> connections.of(project));
        }
        if (!database.holds(projectId, holder)) {
            return RemoveResult.NOTHING_HELD;
        }
        clusters.hibernate(project);
        return database.release(projectId, holder);
    }

    @Override
    public RemovalResult delete(Project project) {
        return result(removeWithData(project), "Its data is dropped and its keys are revoked.");
    }

    private RemoveResult removeWithData(Project project) {
        UUID projectId = ProjectIdentity.of(project).projectId();
        Holder holder = ProvisionRequests.holder(project);
        if (!hasCluster(project)) {
            return database.delete(projectId, holder, () -> connections.of(project));
        }
        if (!database.holds(projectId, holder)) {
            return RemoveResult.NOTHING_HELD;
        }
        clusters.delete(project);
        return database.forget(projectId, holder);
    }

    private static RemovalResult result(RemoveResult result, String message) {
        return switch (result) {
            case NOTHING_HELD -> new RemovalResult.NotHeld();
            case REMOVED -> new RemovalResult.Removed(message);
        };
    }

    @Override
    public boolean isOnExternalServer() {
        return true;
    }

    @Override
    public boolean needsClusterEvents(Project project) {
        return hasCluster(project);
    }

    private static boolean hasCluster(Project project) {
        var dedicated = project.getSpec().database().dedicated();
        return dedicated != null && dedicated.cluster() != null;
    }
}
