package svc.postgres.pool;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import svc.postgres.Access;

/**
 * A caller that waits for a connection.
 *
 * @param access a write waits for the disk
 * @param request what another caller's connection may serve as well; empty for a caller that needs a connection alone
 * @param since by {@link System#nanoTime}
 * @param lent completed outside the pool's lock: what follows is the caller's work
 */
record Waiter<K, C extends PoolMember, R>(
        K key, Access access, Optional<R> request, long since, CompletableFuture<PooledConnection<K, C>> lent) {
    Waiter(K key, Access access, Optional<R> request) {
        this(key, access, request, System.nanoTime(), new CompletableFuture<>());
    }

    /** Whether its request may be batched with one of this access. */
    boolean isBatchable(Access other) {
        return request.isPresent() && access == other;
    }

    /** Whether it will soon return its connection; a write that is not batched waits for the disk alone. */
    boolean isPrompt() {
        return access == Access.READ || request.isPresent();
    }

    long waitedNanos() {
        return System.nanoTime() - since;
    }
}
