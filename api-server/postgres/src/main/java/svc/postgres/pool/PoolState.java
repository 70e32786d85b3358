package svc.postgres.pool;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import svc.postgres.Access;

/**
 * The connections and waiting callers of a {@link SharedPool}, and the rule for the next caller to be served. Opens and
 * closes nothing. Guarded by the pool's lock.
 */
final class PoolState<K, C extends PoolMember, R> {
    /**
     * How many connections of a login may be in use for less than {@link #PROMPT_NANOS}. While queries are that quick,
     * each connection is soon free again, and few busy sessions do the work of many with less of the server's processor,
     * whose caches hold a few. A query that takes longer does not count, so slow ones get as many connections as they
     * need; nor does a write that goes alone, which waits for the disk: those that wait together are flushed together.
     */
    private static final int MAX_PROMPT = 4;

    static final long PROMPT_NANOS = 4_000_000L;

    /** A connection idle for less than this belongs to a login with work to do. */
    private static final long BUSY_NANOS = 500_000_000L;

    private static final long LEAVES_AT_ONCE = -1;

    private final PoolSettings settings;
    private final Accounts<K> accounts;
    private final Map<K, LoginBucket<K, C, R>> buckets = new HashMap<>();
    /** Logins with waiting callers, the one first that was served longest ago. */
    private final LinkedHashSet<K> queue = new LinkedHashSet<>();
    /** Of all logins, the one that came back first stands first. */
    private final LinkedHashSet<PooledConnection<K, C>> idle = new LinkedHashSet<>();

    private int open;
    private int waiting;

    PoolState(PoolSettings settings, PoolOwners<K> owners) {
        this.settings = settings;
        this.accounts = new Accounts<>(owners, settings);
    }

    /** A decision that is recorded already and left to the pool to carry out. */
    sealed interface Step<K, C extends PoolMember, R> {
        /** A waiter has got a connection. */
        record Hand<K, C extends PoolMember, R>(Waiter<K, C, R> waiter, PooledConnection<K, C> connection)
                implements Step<K, C, R> {}

        /** A place is reserved for a new connection; an idle one may have to be closed for it. */
        record Open<K, C extends PoolMember, R>(K key, Optional<PooledConnection<K, C>> evicted)
                implements Step<K, C, R> {}
    }

    /** Connections open or being opened now, of all logins. */
    int open() {
        return open;
    }

    int waiting() {
        return waiting;
    }

    /** Logins with a connection or a waiting caller. */
    int logins() {
        return buckets.size();
    }

    /** Lends an idle connection, unless other callers of the login wait already. */
    Optional<PooledConnection<K, C>> acquire(Waiter<K, C, R> asking) {
        LoginBucket<K, C, R> bucket = buckets.get(asking.key());
        return bucket != null
                        && bucket.waiting() == 0
                        && bucket.hasIdle()
                        && mayUse(bucket, asking)
                        && accounts.mayTake(bucket.project())
                ? Optional.of(lendLastUsed(bucket, asking))
                : Optional.empty();
    }

    /** Lets a caller wait; false when too many of its project wait already. */
    boolean enqueue(Waiter<K, C, R> waiter) {
        K key = waiter.key();
        LoginBucket<K, C, R> bucket = buckets.computeIfAbsent(key, login -> new LoginBucket<>(accounts.open(login)));
        if (!accounts.mayWait(bucket.project())) {
            removeIfEmpty(key, bucket);
            return false;
        }
        bucket.enqueue(waiter);
        queue.add(key);
        waiting++;
        return true;
    }

    /** Removes callers that wait longest for this connection's login and whose requests it can serve as well. */
    List<R> batch(PooledConnection<K, C> connection, Access access, int max) {
        LoginBucket<K, C, R> bucket = bucketOfLent(connection);
        int wanted = Math.min(max, (bucket.waiting() + MAX_PROMPT - 1) / MAX_PROMPT);
        List<R> batch = bucket.pollBatch(access, wanted);
        waiting -= batch.size();
        leaveQueue(connection.key(), bucket);
        return batch;
    }

    /** Removes waiting callers, those as well that a connection is being opened for: its server may never answer. */
    List<Waiter<K, C, R>> dismiss(Predicate<Waiter<K, C, R>> which) {
        List<Waiter<K, C, R>> dismissed = new ArrayList<>();
        for (var entry : List.copyOf(buckets.entrySet())) {
            LoginBucket<K, C, R> bucket = entry.getValue();
            dismissed.addAll(bucket.removeWaiters(which));
            leaveQueue(entry.getKey(), bucket);
            removeIfEmpty(entry.getKey(), bucket);
        }
        waiting -= dismissed.size();
        return dismissed;
    }

    /** Decides the next step for a waiting caller; empty when none can be served. */
    Optional<Step<K, C, R>> next() {
        if (waiting == 0) {
            return Optional.empty();
        }
        K key = mostDeserving();
        if (key == null) {
            return Optional.empty();
        }
        LoginBucket<K, C, R> bucket = buckets.get(key);
        if (bucket.hasIdle()) {
            waiting--;
            Waiter<K, C, R> first = bucket.pollWaiter().orElseThrow();
            served(key, bucket);
            return Optional.of(new Step.Hand<>(first, lendLastUsed(bucket, first)));
        }
        Optional<PooledConnection<K, C>> evicted = open < settings.cap()
                ? Optional.empty()
                : Optional.of(removeIdle(requireNonNull(leastMissed(bucket), "an idle connection to evict")));
        open++;
        bucket.reserve();
        served(key, bucket);
        return Optional.of(new Step.Open<>(key, evicted));
    }

    /**
     * A connection was opened in a place that was reserved. It counts as lent, to the caller that is returned.
     *
     * @return the caller of its login that waits longest, if one waits. Were the connection idle instead, another login
     *     could evict it before its first use, and with more busy logins than places none would ever be served
     */
    Optional<Step.Hand<K, C, R>> opened(PooledConnection<K, C> connection) {
        LoginBucket<K, C, R> bucket = reserved(connection.key());
        Optional<Waiter<K, C, R>> first = bucket.pollWaiter();
        bucket.opened(connection, first.map(PoolState::lentSince).orElseGet(System::nanoTime));
        waiting -= first.isPresent() ? 1 : 0;
        leaveQueue(connection.key(), bucket);
        return first.map(waiter -> new Step.Hand<>(waiter, connection));
    }

    /** Opening failed; returns the longest-waiting caller, to fail it. */
    Optional<Waiter<K, C, R>> openingFailed(K key) {
        LoginBucket<K, C, R> bucket = reserved(key);
        bucket.openingFailed();
        open--;
        Optional<Waiter<K, C, R>> failed = bucket.pollWaiter();
        failed.ifPresent(waiter -> waiting--);
        leaveQueue(key, bucket);
        removeIfEmpty(key, bucket);
        return failed;
    }

    /**
     * A connection came back.
     *
     * @param keep whether it may stay
     * @return whether it stays
     */
    boolean returned(PooledConnection<K, C> connection, boolean keep) {
        LoginBucket<K, C, R> bucket = bucketOfLent(connection);
        boolean stays = bucket.returned(connection, keep ? settings.lifetime().toNanos() : LEAVES_AT_ONCE);
        if (stays) {
            idle.add(connection);
        } else {
            open--;
            removeIfEmpty(connection.key(), bucket);
        }
        return stays;
    }

    /** A connection came back that must not be used again. It counts as in use until the server has {@link #ended} it. */
    void discarded(PooledConnection<K, C> connection) {
        bucketOfLent(connection).discard(connection);
    }

    /** The server has ended a discarded connection. */
    void ended(PooledConnection<K, C> connection) {
        LoginBucket<K, C, R> bucket = reserved(connection.key());
        bucket.ended();
        open--;
        removeIfEmpty(connection.key(), bucket);
    }

    /** Removes idle connections of these logins; lent ones leave when they come back. */
    List<PooledConnection<K, C>> retire(Predicate<K> which) {
        List<PooledConnection<K, C>> leaving = new ArrayList<>();
        for (var entry : List.copyOf(buckets.entrySet())) {
            if (which.test(entry.getKey())) {
                entry.getValue().retireLent();
                entry.getValue().idleConnections().forEach(connection -> leaving.add(removeIdle(connection)));
            }
        }
        return leaving;
    }

    /** Removes connections that have been idle for too long. */
    List<PooledConnection<K, C>> expire() {
        List<PooledConnection<K, C>> leaving = new ArrayList<>();
        while (!idle.isEmpty() && idle.getFirst().idleNanos() >= settings.idle().toNanos()) {
            leaving.add(removeIdle(idle.getFirst()));
        }
        return leaving;
    }

    /** A write that goes alone counts from the start as one that takes longer. */
    private static long lentSince(Waiter<?, ?, ?> waiter) {
        return System.nanoTime() - (waiter.isPrompt() ? 0 : PROMPT_NANOS);
    }

    private PooledConnection<K, C> lendLastUsed(LoginBucket<K, C, R> bucket, Waiter<K, C, R> asking) {
        PooledConnection<K, C> connection = bucket.lendLastUsed(lentSince(asking));
        idle.remove(connection);
        return connection;
    }

    /**
     * The login with a caller that can be served and whose project has the fewest connections in use, of equals the one
     * served longest ago; null when there is none.
     */
    private K mostDeserving() {
        K found = null;
        int fewest = Integer.MAX_VALUE;
        for (K key : queue) {
            LoginBucket<K, C, R> bucket = buckets.get(key);
            int held = bucket.project().held();
            if (held < fewest && canServe(bucket)) {
                fewest = held;
                found = key;
                if (held == 0) {
                    break;
                }
            }
        }
        return found;
    }

    private boolean canServe(LoginBucket<K, C, R> bucket) {
        return accounts.mayTake(bucket.project())
                && bucket.firstWaiter().filter(first -> mayUse(bucket, first)).isPresent()
                && (bucket.hasIdle() || mayOpen(bucket));
    }

    /** One of its callers was served, or is going to be: those of others come first now. */
    private void served(K key, LoginBucket<K, C, R> bucket) {
        queue.remove(key);
        if (bucket.waiting() > 0) {
            queue.add(key);
        }
    }

    private void leaveQueue(K key, LoginBucket<K, C, R> bucket) {
        if (bucket.waiting() == 0) {
            queue.remove(key);
        }
    }

    private static boolean mayUse(LoginBucket<?, ?, ?> bucket, Waiter<?, ?, ?> asking) {
        return !asking.isPrompt() || bucket.lentForLessThan(PROMPT_NANOS) < MAX_PROMPT;
    }

    private boolean mayOpen(LoginBucket<K, C, R> bucket) {
        return bucket.waiting() > bucket.opening()
                && bucket.opening() < settings.opening()
                && bucket.total() < settings.perLogin()
                && (open < settings.cap() || leastMissed(bucket) != null);
    }

    /**
     * The idle connection to evict for one more of {@code asking}: the one idle longest of those whose login has another
     * one. A login's last connection is evicted only for a login that has none, or when it has not been used for a
     * while: otherwise the login's next request would open a new one and evict another login's last, and with as many
     * busy logins as connections that would never end. Null when there is none.
     */
    private PooledConnection<K, C> leastMissed(LoginBucket<K, C, R> asking) {
        for (PooledConnection<K, C> connection : idle) {
            if (buckets.get(connection.key()).total() > 1) {
                return connection;
            }
        }
        if (idle.isEmpty()) {
            return null;
        }
        PooledConnection<K, C> longest = idle.getFirst();
        return asking.total() == 0 || longest.idleNanos() > BUSY_NANOS ? longest : null;
    }

    private PooledConnection<K, C> removeIdle(PooledConnection<K, C> connection) {
        LoginBucket<K, C, R> bucket = buckets.get(connection.key());
        bucket.removeIdle(connection);
        idle.remove(connection);
        open--;
        removeIfEmpty(connection.key(), bucket);
        return connection;
    }

    private LoginBucket<K, C, R> bucketOfLent(PooledConnection<K, C> connection) {
        LoginBucket<K, C, R> bucket = buckets.get(connection.key());
        if (bucket == null || !bucket.isLent(connection)) {
            throw new IllegalStateException("a connection was released twice");
        }
        return bucket;
    }

    private LoginBucket<K, C, R> reserved(K key) {
        return requireNonNull(buckets.get(key), "a place was reserved");
    }

    private void removeIfEmpty(K key, LoginBucket<K, C, R> bucket) {
        if (bucket.isEmpty()) {
            buckets.remove(key);
            accounts.close(key);
        }
    }
}
