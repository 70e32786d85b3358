package svc.api.db;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/** What one login holds of a {@link SharedPool}; exists only while that is something. Guarded by the pool's lock. */
final class PoolShare<K> {
    final Deque<PooledConnection<K>> idle = new ArrayDeque<>();
    final Set<PooledConnection<K>> lent = new HashSet<>();
    final Deque<Waiter<K>> waiters = new ArrayDeque<>();

    /** Places that are reserved for connections on their way. */
    int opening;

    /** Connections in use, those on their way included. */
    int held() {
        return lent.size() + opening;
    }

    int total() {
        return held() + idle.size();
    }

    boolean empty() {
        return total() == 0 && waiters.isEmpty();
    }

    /** A caller that waits; is given either a connection or the place to open one. */
    static final class Waiter<K> {
        final Condition answered;
        PooledConnection<K> connection;
        boolean place;

        Waiter(Condition answered) {
            this.answered = answered;
        }

        boolean served() {
            return place || connection != null;
        }
    }
}
