package svc.postgres.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import svc.postgres.Access;

/** What one login holds of a {@link SharedPool}; exists only while that is something. Guarded by the pool's lock. */
final class LoginBucket<K, C extends PoolMember> {
    final Deque<PooledConnection<K, C>> idle = new ArrayDeque<>();
    final Set<PooledConnection<K, C>> lent = new HashSet<>();
    final Deque<Waiter<K, C>> waiters = new ArrayDeque<>();

    /** Places that are reserved for connections on their way. */
    int opening;

    /** Connections in use, those on their way included. */
    int held() {
        return lent.size() + opening;
    }

    /** Connections in use for less than a moment, those on their way included. */
    int prompt(long momentNanos) {
        long now = System.nanoTime();
        int count = opening;
        for (PooledConnection<K, C> connection : lent) {
            count += now - connection.lentNanos < momentNanos ? 1 : 0;
        }
        return count;
    }

    int total() {
        return held() + idle.size();
    }

    boolean empty() {
        return total() == 0 && waiters.isEmpty();
    }

    /**
     * A caller that waits.
     *
     * @param access what for: a write waits for the disk
     * @param companion who is served instead when somebody else's connection serves it too; empty for a caller that needs
     *     one alone
     * @param since by {@link System#nanoTime}
     * @param lent completed outside the lock: what follows is the caller's work
     */
    record Waiter<K, C extends PoolMember>(
            K key,
            Access access,
            Optional<BatchableRequest> companion,
            long since,
            CompletableFuture<PooledConnection<K, C>> lent) {
        Waiter(K key, Access access, Optional<BatchableRequest> companion) {
            this(key, access, companion, System.nanoTime(), new CompletableFuture<>());
        }

        /** Whether it may be served together with another that has a connection for that access. */
        boolean mayJoin(Access others) {
            return companion.isPresent() && access == others;
        }

        /** Whether a connection is soon free again after it; a write that nobody can join waits for the disk alone. */
        boolean isPrompt() {
            return access == Access.READ || companion.isPresent();
        }

        long waitedNanos() {
            return System.nanoTime() - since;
        }
    }
}
