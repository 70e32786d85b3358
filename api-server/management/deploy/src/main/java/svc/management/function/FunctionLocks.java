package svc.management.function;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Serializes changes of each function on this instance, in the order of the calls. Between instances, optimistic locking of
 * the resource does.
 */
final class FunctionLocks {
    private final ConcurrentMap<String, CountedLock> locks = new ConcurrentHashMap<>();

    private static final class CountedLock {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    /** The result of the work under the lock of a key; empty, without running it, if the timeout expired. */
    <T> Optional<T> with(String key, Duration timeout, Supplier<T> work) {
        CountedLock entry = locks.compute(key, (same, known) -> {
            CountedLock used = known == null ? new CountedLock() : known;
            used.users++;
            return used;
        });
        try {
            return entry.lock.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(run(entry, work))
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            locks.computeIfPresent(key, (same, used) -> --used.users == 0 ? null : used);
        }
    }

    private static <T> T run(CountedLock entry, Supplier<T> work) {
        try {
            return work.get();
        } finally {
            entry.lock.unlock();
        }
    }
}
