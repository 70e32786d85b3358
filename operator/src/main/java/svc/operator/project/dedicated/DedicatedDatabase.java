package svc.operator.project.dedicated;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import svc.database.platform.Holder;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;

/**
 * Projects that have a database of their own. Every call may be repeated at any time.
 *
 * @throws DatabaseFailure from every method, when a database could not do it
 */
public interface DedicatedDatabase {
    /** What the registry calls the database of a project. */
    static String registeredName(UUID projectId) {
        return "dedicated/" + projectId;
    }

    /** Holds the project for its custom resource before anything is made for it; empty when it is held. */
    Optional<ProvisionResult.Conflict> claim(ProvisionRequest request);

    /** Claims the project and makes all of it true in the database behind the connection. */
    ProvisionResult provision(ProvisionRequest request, Complete connection);

    /** Whether this resource holds the project, in whichever state. */
    boolean holds(UUID projectId, Holder holder);

    /**
     * Closes the project's logins and lets go of the claim; data and incarnation are kept.
     *
     * @param connection asked for only if there is something to close
     */
    RemoveResult retain(UUID projectId, Holder holder, Supplier<Complete> connection);

    /**
     * Drops what is the project's, and what the platform made for it, and forgets it.
     *
     * @param connection asked for only if there is something to drop
     */
    RemoveResult delete(UUID projectId, Holder holder, Supplier<Complete> connection);

    /** The claim of a project whose database goes, or rests, as a whole. */
    RemoveResult release(UUID projectId, Holder holder);

    /** The same for good: its keys are dead. */
    RemoveResult forget(UUID projectId, Holder holder);
}
