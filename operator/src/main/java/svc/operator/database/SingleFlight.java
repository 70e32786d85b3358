package svc.operator.database;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Does something once: callers that come while it is under way share its outcome, callers after a success return at
 * once, and the next caller after a failure tries again. Without the sharing, ten waiting reconciliations would each
 * wait for a dead server in turn.
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
            // Each caller gets an exception of its own: one instance thrown in ten threads has one stack trace for all.
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

    /** What is done once. */
    @FunctionalInterface
    interface Action {
        void run() throws SQLException;
    }
}
