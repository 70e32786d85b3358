package svc.api.db;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Connections of many logins under one cap. A login that is not used costs nothing: its last connection closes when idle
 * and nothing of it remains. At the cap an idle connection makes room, see {@link #leastMissed}; when none can, callers
 * wait, and the next free place goes to the login that holds the fewest, so that one busy project cannot starve another.
 *
 * <p>Nothing slow happens under the lock, and nobody waits in it: connections are opened on threads of their own against
 * a reserved place, and go to whoever of their login waits longest by then. So an event loop may ask.
 */
final class SharedPool<K, C extends PoolMember> implements AutoCloseable {
    /** A connection idle for less than this belongs to a login with work to do. */
    private static final long BUSY_NANOS = 500_000_000L;

    private final PoolSettings settings;
    private final Function<K, C> opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, PoolShare<K, C>> shares = new HashMap<>();
    /** The one that came back first stands first. */
    private final LinkedHashSet<PooledConnection<K, C>> idle = new LinkedHashSet<>();

    private int open;
    private int waiting;
    private boolean closed;

    /** @param opener makes a connection; called on virtual threads */
    SharedPool(PoolSettings settings, Function<K, C> opener) {
        this.settings = settings;
        this.opener = opener;
    }

    /**
     * A connection for the caller alone, until {@link #giveBack} or {@link #discard}. Does not block. Fails with
     * {@link SqlError} when PostgreSQL refused a new connection, and with {@link PoolExhausted} when
     * {@link #tend} finds that the caller has waited too long.
     */
    CompletableFuture<PooledConnection<K, C>> lend(K key) {
        var errands = new Errands();
        var waiter = new PoolShare.Waiter<K, C>(key);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            PoolShare<K, C> share = shares.computeIfAbsent(key, unused -> new PoolShare<>());
            if (share.waiters.isEmpty() && !share.idle.isEmpty()) {
                return CompletableFuture.completedFuture(lendWarmest(share));
            }
            share.waiters.add(waiter);
            waiting++;
            serve(errands);
        } finally {
            lock.unlock();
        }
        errands.run();
        return waiter.lent();
    }

    /**
     * The same for a caller that may block.
     *
     * @throws PoolExhausted after the configured wait
     * @throws SqlError when PostgreSQL refused a new connection
     */
    PooledConnection<K, C> borrow(K key) {
        CompletableFuture<PooledConnection<K, C>> lent = lend(key);
        try {
            return lent.get(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            refuse(waiter -> waiter.lent().equals(lent));
        } catch (InterruptedException e) {
            var unused = lent.thenAccept(this::giveBack);
            Thread.currentThread().interrupt();
            throw new PoolExhausted(settings.patience());
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
        try {
            return lent.join();
        } catch (CompletionException e) {
            throw failure(e.getCause());
        }
    }

    private static RuntimeException failure(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException refused ? refused : new IllegalStateException(cause);
    }

    /**
     * Refuses those who have waited for longer than is configured, and looks again whether somebody can be served; called
     * regularly.
     */
    void tend() {
        long patience = settings.patience().toNanos();
        refuse(waiter -> waiter.waitedNanos() > patience);
    }

    private void refuse(Predicate<PoolShare.Waiter<K, C>> which) {
        List<PoolShare.Waiter<K, C>> refused = new ArrayList<>();
        var errands = new Errands();
        lock.lock();
        try {
            if (waiting == 0) {
                return;
            }
            for (var entry : List.copyOf(shares.entrySet())) {
                entry.getValue().waiters.stream().filter(which).forEach(refused::add);
                entry.getValue().waiters.removeAll(refused);
                forgetIfEmpty(entry.getKey(), entry.getValue());
            }
            waiting -= refused.size();
            serve(errands);
        } finally {
            lock.unlock();
        }
        refused.forEach(waiter -> waiter.lent().completeExceptionally(new PoolExhausted(settings.patience())));
        errands.run();
    }

    /** Takes back a connection that is in a clean state. */
    void giveBack(PooledConnection<K, C> connection) {
        var errands = new Errands();
        lock.lock();
        try {
            PoolShare<K, C> share = lentShare(connection);
            share.lent.remove(connection);
            connection.usedNanos = System.nanoTime();
            if (closed
                    || connection.retired
                    || connection.ageNanos() > settings.lifetime().toNanos()) {
                open--;
                errands.leaving.add(connection);
            } else {
                share.idle.addLast(connection);
                idle.add(connection);
            }
            serve(errands);
            forgetIfEmpty(connection.key(), share);
        } finally {
            lock.unlock();
        }
        errands.run();
    }

    /** Takes back a connection of which nothing is known but that it must not be used again. */
    void discard(PooledConnection<K, C> connection) {
        var errands = new Errands();
        lock.lock();
        try {
            PoolShare<K, C> share = lentShare(connection);
            share.lent.remove(connection);
            open--;
            serve(errands);
            forgetIfEmpty(connection.key(), share);
        } finally {
            lock.unlock();
        }
        connection.connection().abort();
        errands.run();
    }

    /** Closes what is idle for these logins now, and what is lent when it comes back. */
    void retire(Predicate<K> which) {
        var errands = new Errands();
        lock.lock();
        try {
            for (var entry : List.copyOf(shares.entrySet())) {
                if (which.test(entry.getKey())) {
                    PoolShare<K, C> share = entry.getValue();
                    share.lent.forEach(connection -> connection.retired = true);
                    List.copyOf(share.idle).forEach(connection -> errands.leaving.add(removeIdle(connection)));
                }
            }
            serve(errands);
        } finally {
            lock.unlock();
        }
        errands.run();
    }

    /** Closes what has been idle for too long; called regularly. */
    void closeIdle() {
        var errands = new Errands();
        lock.lock();
        try {
            for (PooledConnection<K, C> connection : List.copyOf(idle)) {
                if (connection.idleNanos() < settings.idle().toNanos()) {
                    break;
                }
                errands.leaving.add(removeIdle(connection));
            }
        } finally {
            lock.unlock();
        }
        errands.run();
    }

    /** Connections open or being opened now, of all logins. */
    int openConnections() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** Logins of which anything is held in memory. */
    int knownLogins() {
        lock.lock();
        try {
            return shares.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        retire(key -> true);
        refuse(waiter -> true);
    }

    /** What was decided under the lock and is done after it. */
    private final class Errands {
        private final List<PooledConnection<K, C>> leaving = new ArrayList<>(0);
        private final List<K> opening = new ArrayList<>(0);
        private final List<Runnable> handing = new ArrayList<>(0);

        void run() {
            leaving.forEach(connection -> connection.connection().close());
            opening.forEach(
                    key -> Thread.ofVirtual().name("svc-db-connect").start(() -> open(key)));
            handing.forEach(Runnable::run);
        }

        void hand(PoolShare.Waiter<K, C> waiter, PooledConnection<K, C> connection) {
            handing.add(() -> {
                if (!waiter.lent().complete(connection)) {
                    giveBack(connection);
                }
            });
        }
    }

    /** Opens a connection in a place that was reserved; it then waits in the pool like one that was given back. */
    private void open(K key) {
        PooledConnection<K, C> opened;
        try {
            opened = new PooledConnection<>(key, opener.apply(key));
        } catch (RuntimeException | Error e) {
            refused(key, e);
            return;
        }
        lock.lock();
        try {
            PoolShare<K, C> share = reserved(key);
            share.opening--;
            share.lent.add(opened);
        } finally {
            lock.unlock();
        }
        giveBack(opened);
    }

    /** The place is free again, and who waits longest hears why there is no connection. */
    private void refused(K key, Throwable why) {
        var errands = new Errands();
        Optional<PoolShare.Waiter<K, C>> told;
        lock.lock();
        try {
            PoolShare<K, C> share = reserved(key);
            share.opening--;
            open--;
            told = Optional.ofNullable(share.waiters.pollFirst());
            told.ifPresent(waiter -> waiting--);
            serve(errands);
            forgetIfEmpty(key, share);
        } finally {
            lock.unlock();
        }
        told.ifPresent(waiter -> waiter.lent().completeExceptionally(why));
        errands.run();
    }

    private PoolShare<K, C> reserved(K key) {
        return requireNonNull(shares.get(key), "a place was reserved");
    }

    /** Gives out what is free, to waiters only, until nothing more fits. */
    private void serve(Errands errands) {
        while (waiting > 0) {
            K next = mostDeserving();
            if (next == null) {
                return;
            }
            PoolShare<K, C> share = shares.get(next);
            if (!share.idle.isEmpty()) {
                waiting--;
                errands.hand(share.waiters.removeFirst(), lendWarmest(share));
            } else {
                if (open >= settings.cap()) {
                    errands.leaving.add(removeIdle(requireNonNull(leastMissed(share), "somebody makes room")));
                }
                open++;
                share.opening++;
                errands.opening.add(next);
            }
        }
    }

    /** The one used last, so that the others may age and close. */
    private PooledConnection<K, C> lendWarmest(PoolShare<K, C> share) {
        PooledConnection<K, C> warm = share.idle.removeLast();
        idle.remove(warm);
        share.lent.add(warm);
        return warm;
    }

    /** The login with a waiter that can be served and the fewest connections in use; null when there is none. */
    private K mostDeserving() {
        K found = null;
        int fewest = Integer.MAX_VALUE;
        for (var entry : shares.entrySet()) {
            PoolShare<K, C> share = entry.getValue();
            if (!share.waiters.isEmpty() && share.held() < fewest && (!share.idle.isEmpty() || mayOpen(share))) {
                fewest = share.held();
                found = entry.getKey();
            }
        }
        return found;
    }

    private boolean mayOpen(PoolShare<K, C> share) {
        return share.waiters.size() > share.opening
                && share.total() < settings.perLogin()
                && (open < settings.cap() || leastMissed(share) != null);
    }

    /**
     * Who makes room for one more of {@code asking}: the one idle longest of those whose login has another one. A login's
     * last one leaves only for a login that has none, or when it is not in use from one moment to the next: it is missed
     * with the next request, and that would take another's last one, with as many busy logins as connections so on for
     * ever. Null when nobody makes room.
     */
    private PooledConnection<K, C> leastMissed(PoolShare<K, C> asking) {
        for (PooledConnection<K, C> connection : idle) {
            if (shares.get(connection.key()).total() > 1) {
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
        PoolShare<K, C> share = shares.get(connection.key());
        share.idle.remove(connection);
        idle.remove(connection);
        open--;
        if (share.empty()) {
            shares.remove(connection.key());
        }
        return connection;
    }

    private PoolShare<K, C> lentShare(PooledConnection<K, C> connection) {
        PoolShare<K, C> share = shares.get(connection.key());
        if (share == null || !share.lent.contains(connection)) {
            throw new IllegalStateException("a connection was given back twice");
        }
        return share;
    }

    private void forgetIfEmpty(K key, PoolShare<K, C> share) {
        if (share.empty()) {
            shares.remove(key);
        }
    }
}
