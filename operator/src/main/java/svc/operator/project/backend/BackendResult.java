package svc.operator.project.backend;

import java.util.OptionalInt;
import svc.crds.project.ProjectDatabase;
import svc.operator.project.database.ProvisionResult.Provisioned;
import svc.operator.project.failure.Failure;

/** The outcome of {@link ProjectBackend#reconcile}. */
public sealed interface BackendResult {
    /**
     * This resource holds the project and its database matches the spec.
     *
     * @param location for the status; passwords in it are sealed
     * @param schema the project's main schema
     * @param companionVersion empty for an adopted database, which has no companion schemas
     */
    record Ready(Provisioned provisioned, ProjectDatabase location, String schema, OptionalInt companionVersion)
            implements BackendResult {}

    /**
     * Another resource holds the ref or the project id. Nothing was changed.
     *
     * @param what the contested ref or projectId, with its value
     */
    record Conflicted(String what) implements BackendResult {}

    /** This resource holds the project; its database server is not ready yet. */
    record Waiting(Failure why) implements BackendResult {}
}
