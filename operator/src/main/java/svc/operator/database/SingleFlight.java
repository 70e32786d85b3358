package svc.operator.database;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs an action once: concurrent callers share its outcome, callers after a success return immediately, and the next
 * caller after a failure retries. Without sharing, ten waiting reconciliations would each wait for a dead server in turn.
 */
final class SingleFlight {
    private final AtomicReference<CompletableFuture<Void>> flight = new AtomicReference<>();
    private final Action action;

    SingleFlight(Action action) {
        this.action = action;
    }

    void ensure() throws SQLException {
        var mine = new CompletableFuture<Void>();
        CompletableFuture<Void> current = flight.compareAndExchange(null, mine);
        if (current == null) {
            fly(mine);
            current = mine;
        }
        try {
            current.join();
        } catch (CompletionException e) {
            // Each caller gets its own exception: an instance shared by ten threads would carry one stack trace.
            if (e.getCause() instanceof SQLException failed) {
                throw new SQLException(failed.getMessage(), failed.getSQLState(), failed.getErrorCode(), failed);
            }
            throw new IllegalStateException("while preparing a database", e.getCause());
        }
    }

    private void fly(CompletableFuture<Void> mine) {
        try {
            action.run();
            mine.complete(null);
        } catch (SQLException | RuntimeException | Error e) {
            flight.set(null);
            mine.completeExceptionally(e);
        }
    }

    /** The action that runs once. */
    @FunctionalInterface
    interface Action {
        void run() throws SQLException;
    }
}
