package svc.operator.project.backend;

import java.util.Optional;
import svc.crds.project.Project;
import svc.operator.project.failure.Failure;

/**
 * Provisions and removes the databases of Projects with one kind of placement: shared, dedicated or adopted. Every call is
 * idempotent and may be repeated after any failure, also by another operator at the same moment.
 *
 * @throws svc.operator.project.database.DatabaseFailure from every method that reaches a database, when it failed
 */
public interface ProjectBackend {
    /** Why the spec cannot be provisioned, found without reaching any database. Empty when it can. */
    Optional<Failure> refusal(Project project);

    /** Claims the project for its custom resource and reconciles its database with the spec. */
    BackendResult reconcile(Project project);

    /** Closes access and releases the claim. Data and keys are kept until the same resource comes back. */
    RemovalResult retain(Project project);

    /** Removes what the platform created for the project and revokes its keys for good. */
    RemovalResult delete(Project project);

    /**
     * Whether the project's owner chose the database server. Such a server may not answer, so the reconciler limits how many
     * of these projects it reconciles at once.
     */
    boolean isOnExternalServer();

    /** Whether changes of a CloudNativePG Cluster must trigger a reconciliation of the project. */
    boolean needsClusterEvents(Project project);
}
