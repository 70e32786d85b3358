package svc.operator.project.dedicated;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import svc.database.platform.Holder;
import svc.database.platform.ProjectRecord;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.ProvisionRequest;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;

/**
 * Projects with a dedicated database. Every call is idempotent.
 *
 * @throws DatabaseFailure from every method, when a database could not do it
 */
public interface DedicatedDatabase {
    /** The name of a dedicated database in the registry. */
    static String registeredName(UUID projectId) {
        return "dedicated/" + projectId;
    }

    /** Claims the project for its custom resource before anything is created for it. Empty when the claim holds. */
    Optional<ProvisionResult.Conflict> claim(ProvisionRequest request);

    /** Claims the project and provisions it in the database behind the connection. */
    ProvisionResult provision(ProvisionRequest request, Complete connection);

    /** The version of the login that reads the log; raised when its password is to change. */
    int REPLICATION_LOGIN_VERSION = 1;

    /**
     * Prepares a provisioned project's database for the realtime service.
     *
     * @return why the log of the database cannot be read; empty when it can
     */
    Optional<String> prepareRealtime(ProjectRecord project, Complete connection);

    /** Whether this resource holds the project, provisioned or not. */
    boolean holds(UUID projectId, Holder holder);

    /**
     * Closes the project's logins and releases the claim; keeps data and incarnation.
     *
     * @param connection resolved only if there are logins to close
     */
    RemoveResult retain(UUID projectId, Holder holder, Supplier<Complete> connection);

    /**
     * Drops the project's objects and what the platform created for it, and removes it from the registry.
     *
     * @param connection resolved only if there is something to drop
     */
    RemoveResult delete(UUID projectId, Holder holder, Supplier<Complete> connection);

    /** Releases the claim of a project whose whole database hibernates; keeps the incarnation. */
    RemoveResult release(UUID projectId, Holder holder);

    /** Removes a project whose whole database was deleted from the registry; revokes its keys. */
    RemoveResult forget(UUID projectId, Holder holder);
}
