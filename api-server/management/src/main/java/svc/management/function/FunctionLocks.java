package svc.management.function;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serializes changes of each function on this instance, in the order of the calls. Between instances, optimistic
 * locking of the resource does.
 */
final class FunctionLocks {
    private final ConcurrentMap<String, CountedLock> locks = new ConcurrentHashMap<>();

    private static final class CountedLock {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    /** A held lock; closing it releases it. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** @return null if the timeout expired */
    Held acquire(String key, Duration timeout) {
        CountedLock entry = locks.compute(key, (same, known) -> {
            CountedLock used = known == null ? new CountedLock() : known;
            used.users++;
            return used;
        });
        try {
            if (entry.lock.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return () -> {
                    entry.lock.unlock();
                    release(key);
                };
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        release(key);
        return null;
    }

    private void release(String key) {
        locks.computeIfPresent(key, (same, entry) -> --entry.users == 0 ? null : entry);
    }
}
