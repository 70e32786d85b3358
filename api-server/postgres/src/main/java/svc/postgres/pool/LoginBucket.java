package svc.postgres.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import svc.postgres.Access;

/**
 * The connections of one login in a {@link SharedPool}, and its waiting callers; exists only while there are any.
 * Guarded by the pool's lock.
 */
final class LoginBucket<K, C extends PoolMember, R> {
    private final Deque<PooledConnection<K, C>> idle = new ArrayDeque<>();
    private final Set<PooledConnection<K, C>> lent = new HashSet<>();
    private final Deque<Waiter<K, C, R>> waiters = new ArrayDeque<>();

    private final Account project;

    /** Places reserved for connections that are being opened. */
    private int opening;

    /** Connections that were given up and that the server has not ended yet. */
    private int ending;

    LoginBucket(Account project) {
        this.project = project;
    }

    Account project() {
        return project;
    }

    int opening() {
        return opening;
    }

    /** Connections in use, those being opened or ended included. */
    int held() {
        return lent.size() + opening + ending;
    }

    int total() {
        return held() + idle.size();
    }

    /** Connections in use for less than this, those being opened included. */
    int lentForLessThan(long nanos) {
        int count = opening;
        for (PooledConnection<K, C> connection : lent) {
            count += connection.lentForNanos() < nanos ? 1 : 0;
        }
        return count;
    }

    boolean isEmpty() {
        return total() == 0 && waiters.isEmpty();
    }

    boolean hasIdle() {
        return !idle.isEmpty();
    }

    List<PooledConnection<K, C>> idleConnections() {
        return List.copyOf(idle);
    }

    int waiting() {
        return waiters.size();
    }

    Optional<Waiter<K, C, R>> firstWaiter() {
        return Optional.ofNullable(waiters.peekFirst());
    }

    Optional<Waiter<K, C, R>> pollWaiter() {
        Optional<Waiter<K, C, R>> first = Optional.ofNullable(waiters.pollFirst());
        first.ifPresent(waiter -> project.waits(-1));
        return first;
    }

    void enqueue(Waiter<K, C, R> waiter) {
        waiters.addLast(waiter);
        project.waits(1);
    }

    /** Removes the callers that wait longest, as long as their requests may be batched with one of this access. */
    List<R> pollBatch(Access access, int max) {
        List<R> batch = new ArrayList<>(0);
        while (batch.size() < max
                && firstWaiter().filter(waiter -> waiter.isBatchable(access)).isPresent()) {
            batch.add(pollWaiter().flatMap(Waiter::request).orElseThrow());
        }
        return batch;
    }

    List<Waiter<K, C, R>> removeWaiters(Predicate<Waiter<K, C, R>> which) {
        List<Waiter<K, C, R>> removed = waiters.stream().filter(which).toList();
        waiters.removeAll(removed);
        project.waits(-removed.size());
        return removed;
    }

    /**
     * Lends the connection used last, so that the others may age and close.
     *
     * @param since by {@link System#nanoTime}
     */
    PooledConnection<K, C> lendLastUsed(long since) {
        PooledConnection<K, C> connection = idle.removeLast();
        connection.lent(since);
        lent.add(connection);
        project.held(1);
        return connection;
    }

    /** Reserves a place for a connection that is going to be opened. */
    void reserve() {
        opening++;
        project.held(1);
    }

    /**
     * Fills a reserved place; the connection counts as lent.
     *
     * @param since by {@link System#nanoTime}
     */
    void opened(PooledConnection<K, C> connection, long since) {
        opening--;
        connection.lent(since);
        lent.add(connection);
    }

    /** Gives up a reserved place. */
    void openingFailed() {
        opening--;
        project.held(-1);
    }

    boolean isLent(PooledConnection<K, C> connection) {
        return lent.contains(connection);
    }

    /** Keeps a connection that came back as idle; false when it is retired or too old, and leaves the pool. */
    boolean returned(PooledConnection<K, C> connection, long maxAgeNanos) {
        connection.returned();
        lent.remove(connection);
        project.held(-1);
        boolean stays = !connection.isRetired() && connection.ageNanos() <= maxAgeNanos;
        if (stays) {
            idle.addLast(connection);
        }
        return stays;
    }

    /** Takes a lent connection out of use; its place is free again when the server has {@link #ended} it. */
    void discard(PooledConnection<K, C> connection) {
        lent.remove(connection);
        ending++;
    }

    /** A discarded connection no longer exists in the server. */
    void ended() {
        ending--;
        project.held(-1);
    }

    /** Makes lent connections leave the pool when they come back. */
    void retireLent() {
        lent.forEach(PooledConnection::retire);
    }

    void removeIdle(PooledConnection<K, C> connection) {
        idle.remove(connection);
    }
}
