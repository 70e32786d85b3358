package svc.storage;

import org.jboss.logging.Logger;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.content.StoreException;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** Maps failures of the database and of the store to the answers that clients get. */
final class Failures {
    private static final Logger LOG = Logger.getLogger(Failures.class);

    private Failures() {}

    static StorageError of(Throwable failure, String ref) {
        return switch (failure) {
            case StorageError refused -> refused;
            case PoolExhausted exhausted -> StorageError.slowDown();
            case SqlError error -> of(error, ref);
            case StoreException error -> of(error, ref);
            default -> {
                LOG.errorf(failure, "%s: storage failed", ref);
                yield StorageError.internal();
            }
        };
    }

    private static StorageError of(SqlError error, String ref) {
        if (error.is("57014")) {
            return StorageError.databaseTimeout();
        }
        if (!error.fromServer() && error.is("54000")) {
            return StorageError.rowsTooLarge();
        }
        if (!error.fromServer() && error.is("53000")) {
            return StorageError.slowDown();
        }
        if (error.infrastructure() || !error.fromServer() || isMomentary(error)) {
            LOG.warnf("%s: storage: database unavailable [%s]", ref, error.sqlState());
            return StorageError.databaseUnavailable();
        }
        if (error.is("42501")) {
            // Also of a function that a policy calls: the message would name what the project has inside.
            return error.getMessage().startsWith("Direct deletion")
                    ? StorageError.database(error.getMessage())
                    : StorageError.rowSecurity();
        }
        if (error.sqlState().startsWith("22")) {
            return StorageError.invalidRequest("The request has a character or a number that cannot be stored");
        }
        if (error.is("P0001")) {
            // A tenant's trigger refuses: its message is the answer.
            return StorageError.database(error.getMessage());
        }
        LOG.infof("%s: storage: [%s] %s", ref, error.sqlState(), error.getMessage());
        return StorageError.database("Database error [" + error.sqlState() + "]");
    }

    /** lock_not_available; transaction_rollback: a deadlock, a conflict with another transaction. */
    private static boolean isMomentary(SqlError error) {
        return error.is("55P03") || error.sqlState().startsWith("40");
    }

    private static StorageError of(StoreException error, String ref) {
        return switch (error.kind()) {
            case BUSY -> StorageError.slowDown();
            case NOT_CONFIGURED -> StorageError.storeMissing(error.getMessage());
            case FULL -> {
                LOG.errorf("%s: storage: the store has no space left: %s", ref, error.getMessage());
                yield StorageError.storeFull();
            }
            case FAILED -> {
                LOG.warnf(error, "%s: storage: the store failed", ref);
                yield StorageError.storeFailed();
            }
        };
    }

    static StorageError of(Throwable failure, StorageCall call) {
        return of(failure, call.tenant().ref());
    }
}
