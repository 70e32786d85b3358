package svc.postgres.flush;

import jakarta.inject.Singleton;
import org.jboss.logging.Logger;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.jdbc.CatalogDatabase;

/** The status of a transaction whose client may have crashed, by PostgreSQL's {@code pg_xact_status}. */
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
        /**
         * The server is unreachable, no longer keeps the status (after hundreds of millions of transactions), or never
         * had it.
         */
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
            LOG.warnf(e, "cannot query the status of transaction %s in database %s", transactionId, database.name());
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
