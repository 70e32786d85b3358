package svc.management.function;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One change at a time of each function on this instance, in the order in which they came. Between instances it is the
 * resource's version that keeps changes apart.
 */
final class FunctionLocks {
    private final ConcurrentMap<String, Turn> turns = new ConcurrentHashMap<>();

    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    /** Somebody's turn; ends when it is closed. */
    interface Taken extends AutoCloseable {
        @Override
        void close();
    }

    /** @return null when the turn did not come in time */
    Taken take(String key, Duration patience) {
        Turn turn = turns.compute(key, (same, known) -> {
            Turn used = known == null ? new Turn() : known;
            used.users++;
            return used;
        });
        try {
            if (turn.lock.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return () -> {
                    turn.lock.unlock();
                    leave(key);
                };
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        leave(key);
        return null;
    }

    private void leave(String key) {
        turns.computeIfPresent(key, (same, turn) -> --turn.users == 0 ? null : turn);
    }
}
