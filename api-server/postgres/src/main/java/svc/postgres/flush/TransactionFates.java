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
public class TransactionFates {
    private static final Logger LOG = Logger.getLogger(TransactionFates.class);
    private static final SqlFragment STATUS =
            SqlFragment.of("SELECT pg_catalog.pg_xact_status(?::pg_catalog.xid8) AS status");

    private final CatalogDatabase catalog;

    TransactionFates(CatalogDatabase catalog) {
        this.catalog = catalog;
    }

    /** The end of a transaction. */
    public enum Fate {
        COMMITTED,
        ABORTED,
        IN_PROGRESS,
        /** The server cannot be asked now, has forgotten it (after hundreds of millions of others), or never had it. */
        UNKNOWN
    }

    /** @param transactionId what {@code pg_current_xact_id()} said in that transaction */
    public Fate of(DatabaseAddress database, String transactionId) {
        try {
            return catalog.query(database, STATUS, row -> row.optional("status", String.class), transactionId)
                    .getFirst()
                    .map(TransactionFates::fate)
                    .orElse(Fate.UNKNOWN);
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf(e, "what became of the transaction %s of %s cannot be asked", transactionId, database.name());
            return Fate.UNKNOWN;
        }
    }

    /** @param status as {@code pg_xact_status} gives it */
    public static Fate fate(String status) {
        return switch (status) {
            case "committed" -> Fate.COMMITTED;
            case "aborted" -> Fate.ABORTED;
            case "in progress" -> Fate.IN_PROGRESS;
            default -> Fate.UNKNOWN;
        };
    }
}
