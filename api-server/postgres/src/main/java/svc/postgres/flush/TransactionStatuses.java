package svc.postgres.flush;

import jakarta.inject.Singleton;
import org.jboss.logging.Logger;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.jdbc.CatalogDatabase;

/** What became of a transaction whose client may have fallen: the server knows, as PostgreSQL's {@code pg_xact_status}. */
@Singleton
public class TransactionStatuses {
    private static final Logger LOG = Logger.getLogger(TransactionStatuses.class);
    private static final SqlFragment STATUS =
            SqlFragment.of("SELECT pg_catalog.pg_xact_status(?::pg_catalog.xid8) AS status");

    private final CatalogDatabase catalog;

    TransactionStatuses(CatalogDatabase catalog) {
        this.catalog = catalog;
    }

    /** The end of a transaction. */
    public enum Status {
        COMMITTED,
        ABORTED,
        IN_PROGRESS,
        /** The server cannot be asked now, has forgotten it (after hundreds of millions of others), or never had it. */
        UNKNOWN
    }

    /** @param transactionId what {@code pg_current_xact_id()} said in that transaction */
    public Status of(DatabaseAddress database, String transactionId) {
        try {
            return catalog.query(database, STATUS, row -> row.optional("status", String.class), transactionId)
                    .getFirst()
                    .map(TransactionStatuses::status)
                    .orElse(Status.UNKNOWN);
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf(e, "what became of the transaction %s of %s cannot be asked", transactionId, database.name());
            return Status.UNKNOWN;
        }
    }

    /** @param status as {@code pg_xact_status} gives it */
    public static Status status(String status) {
        return switch (status) {
            case "committed" -> Status.COMMITTED;
            case "aborted" -> Status.ABORTED;
            case "in progress" -> Status.IN_PROGRESS;
            default -> Status.UNKNOWN;
        };
    }
}
