package svc.postgres.termination;

import java.util.concurrent.CompletableFuture;

/** Ends sessions of one database in its server. */
public interface SessionEnder {
    /** Leaves it to the server to notice that the socket is closed. */
    SessionEnder NONE = backend -> CompletableFuture.completedFuture(null);

    /**
     * Ends a session whose connection was given up. Does not block.
     *
     * @return completes when the session is known to be gone, or cannot be known about for too long; never fails
     */
    CompletableFuture<Void> end(Backend backend);
}
