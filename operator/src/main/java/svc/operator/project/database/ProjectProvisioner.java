package svc.operator.project.database;

import java.util.UUID;
import svc.database.platform.Holder;

/**
 * Where projects live. Every call may be repeated at any time, after any failure, also by another operator at the same
 * moment: the result is the same as of one call.
 *
 * @throws DatabaseFailure from every method, when the database could not do it; nothing is half done then
 */
public interface ProjectProvisioner {
    /** Claims the project for its custom resource and makes everything of it true; empty work on a project in order. */
    ProvisionResult provision(ProvisionRequest request);

    /** Ends the project's sessions and closes its logins; data and keys are kept for the same resource to come back. */
    RemoveResult retain(UUID projectId, Holder holder);

    /** Removes the project with all its data, and burns its incarnation: no key of it will ever be valid again. */
    RemoveResult delete(UUID projectId, Holder holder);
}
