package svc.operator.project.database;

import java.util.UUID;
import svc.database.platform.Holder;

/**
 * The port to the databases of projects. Every call is idempotent and may be repeated after any failure, also by another
 * operator at the same moment.
 *
 * @throws DatabaseFailure from every method, when the database failed; the transaction is rolled back
 */
public interface ProjectProvisioner {
    /** Claims the project for its custom resource and provisions it; changes nothing on a converged project. */
    ProvisionResult provision(ProvisionRequest request);

    /** Terminates the project's sessions and closes its logins; keeps data and keys for the same resource. */
    RemoveResult retain(UUID projectId, Holder holder);

    /** Deletes the project with all its data and burns its incarnation: its keys never become valid again. */
    RemoveResult delete(UUID projectId, Holder holder);
}
