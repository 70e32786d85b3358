package svc.operator.project.adopted;

import java.util.UUID;
import svc.database.platform.Holder;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;

/**
 * Projects whose database existed before them. Every call is idempotent.
 *
 * @throws DatabaseFailure from every method, when a database failed
 */
public interface AdoptedDatabase {
    /**
     * Claims the project for its custom resource and checks both logins. Writes nothing to the adopted database.
     *
     * @param anonRole the role of requests without a token
     */
    ProvisionResult adopt(UUID projectId, String ref, Holder holder, Complete connection, String anonRole);

    /** Releases the claim; keeps the incarnation for the same resource. */
    RemoveResult retain(UUID projectId, Holder holder);

    /** Removes the project from the registry and burns its incarnation. The database is not changed. */
    RemoveResult forget(UUID projectId, Holder holder);
}
