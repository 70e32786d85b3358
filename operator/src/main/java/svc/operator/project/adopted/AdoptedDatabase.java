package svc.operator.project.adopted;

import java.util.UUID;
import svc.database.platform.Holder;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.ProvisionResult;
import svc.operator.project.database.RemoveResult;

/**
 * Projects whose database was there before them. Every call may be repeated at any time.
 *
 * @throws DatabaseFailure from every method, when a database could not do it
 */
public interface AdoptedDatabase {
    /**
     * Claims the project for its custom resource and tries both logins. Nothing is written into the adopted database.
     *
     * @param anonRole what callers without a token become
     */
    ProvisionResult adopt(UUID projectId, String ref, Holder holder, Complete connection, String anonRole);

    /** Lets go of the claim; the incarnation is kept for the same resource to come back. */
    RemoveResult retain(UUID projectId, Holder holder);

    /** Forgets the project and burns its incarnation. The database stays as it is. */
    RemoveResult forget(UUID projectId, Holder holder);
}
