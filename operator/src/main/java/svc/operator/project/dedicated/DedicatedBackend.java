package svc.operator.project.dedicated;

import java.util.Optional;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectCondition;
import svc.crds.project.ProjectDatabase;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.database.DatabaseMode;
import svc.database.platform.Holder;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecrets;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;
import svc.operator.project.dedicated.cluster.ClusterProgress.NotYet;
import svc.operator.project.dedicated.cluster.ClusterProgress.Up;
import svc.operator.project.dedicated.cluster.ProjectClusters;
import svc.operator.project.failure.Failure;

/** Brings projects of mode Dedicated into their databases and out of them, whether those were there before or not. */
public final class DedicatedBackend {
    private final DedicatedDatabase database;
    private final ProjectClusters clusters;
    private final ConnectionSecrets connections;

    public DedicatedBackend(DedicatedDatabase database, ProjectClusters clusters, ConnectionSecrets connections) {
        this.database = database;
        this.clusters = clusters;
        this.connections = connections;
    }

    /** Whether this is about a project: one with a database of our making in which nothing was before. */
    public static boolean concerns(Project project) {
        return project.getSpec().database().mode() == DatabaseMode.DEDICATED
                && project.getSpec().rest().anonRole() == null;
    }

    /** What became of a wish. */
    public sealed interface Result {
        /** @param place for the status; empty unless the project was provisioned */
        record Looked(ProvisionResult result, Optional<ProjectDatabase> place) implements Result {}

        /** Its database is not there yet. */
        record Waiting(Failure why) implements Result {}
    }

    /** The claim first: who does not hold the project gets no cluster. */
    public Result bringAbout(Project project, ProvisionRequest request) {
        Optional<ProvisionResult.Conflict> conflict = database.claim(request);
        if (conflict.isPresent()) {
            return new Result.Looked(conflict.get(), Optional.empty());
        }
        if (!hasCluster(project)) {
            return provisioned(
                    request,
                    connections.of(project),
                    ConnectionSecrets.nameOf(project).orElseThrow());
        }
        return switch (clusters.bringUp(project)) {
            case Up(var connection) -> provisioned(request, connection, ProjectClusters.name(request.ref()));
            case NotYet(var reason, var message) ->
                new Result.Waiting(new Failure(
                        ProjectCondition.DATABASE_READY, reason.conditionReason(), message, reason.trouble(), true));
        };
    }

    private Result provisioned(ProvisionRequest request, Complete connection, String name) {
        ProvisionResult result = database.provision(request, connection);
        return new Result.Looked(result, Optional.of(DedicatedLocation.of(connection, name)));
    }

    /** Ends the project as its policy says at this moment. */
    public RemoveResult remove(Project project) {
        var holder = new Holder(
                project.getMetadata().getNamespace(), project.getMetadata().getName());
        var projectId = ProjectIdentity.of(project).projectId();
        boolean keep = project.getSpec().deletionPolicy() == DeletionPolicy.RETAIN;
        if (!hasCluster(project)) {
            return keep
                    ? database.retain(projectId, holder, () -> connections.of(project))
                    : database.delete(projectId, holder, () -> connections.of(project));
        }
        if (!database.holds(projectId, holder)) {
            return RemoveResult.NOTHING_HELD;
        }
        if (keep) {
            clusters.rest(project);
            return database.release(projectId, holder);
        }
        clusters.remove(project);
        return database.forget(projectId, holder);
    }

    /** Whether the project asks for a cluster. */
    public static boolean hasCluster(Project project) {
        var dedicated = project.getSpec().database().dedicated();
        return dedicated != null && dedicated.cluster() != null;
    }
}
