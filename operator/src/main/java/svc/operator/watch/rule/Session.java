package svc.operator.watch.rule;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A session of a tenant, as one sample shows it.
 *
 * @param id of its process
 * @param login whose limit applies
 * @param owner the project; empty while the name of its role could not be read, which needs a place in the lock table
 * @param busy whether a statement runs; otherwise the session waits for its client
 * @param onProcessor whether its statement waits for nothing at this moment
 * @param transaction the age of its transaction, as long as which it may hold locks and a snapshot; zero without one
 * @param locks its places in the server's table of locks
 * @param tempBytes its temporary files
 */
public record Session(
        ProcessId id,
        Login login,
        Optional<UUID> owner,
        boolean busy,
        boolean onProcessor,
        Duration transaction,
        long locks,
        long tempBytes) {
    /** Which limit of time a login has. */
    public enum Login {
        /** Scripts of the SQL endpoint, of migrations and of the PostgreSQL endpoint. */
        OWNER,
        /** Requests of the data plane. */
        DATA_PLANE
    }
}
