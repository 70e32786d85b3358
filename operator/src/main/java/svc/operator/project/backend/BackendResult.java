package svc.operator.project.backend;

import java.util.Optional;
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
     * @param ownLog of a database that a realtime sidecar may read; empty for a shared and an adopted one
     */
    record Ready(
            Provisioned provisioned,
            ProjectDatabase location,
            String schema,
            OptionalInt companionVersion,
            Optional<OwnLog> ownLog)
            implements BackendResult {
        /** A database whose log no sidecar reads. */
        public Ready(Provisioned provisioned, ProjectDatabase location, String schema, OptionalInt companionVersion) {
            this(provisioned, location, schema, companionVersion, Optional.empty());
        }
    }

    /** The log of a project's own database. @param obstacle why it cannot be read; empty when it can */
    record OwnLog(Optional<String> obstacle) {}

    /**
     * Another resource holds the ref or the project id. Nothing was changed.
     *
     * @param what the contested ref or projectId, with its value
     */
    record Conflicted(String what) implements BackendResult {}

    /** This resource holds the project; its database server is not ready yet. */
    record Waiting(Failure why) implements BackendResult {}
}
