package svc.api.db;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.postgresql.jdbc.PgConnection;

/**
 * Connections of many logins under one cap. A login that is not used costs nothing: its last connection closes when idle
 * and nothing of it remains. At the cap an idle connection makes room, see {@link #leastMissed}; when none is idle, callers wait,
 * and the next free place goes to the login that holds the fewest, so that one busy project cannot starve another.
 *
 * <p>Nothing slow happens under the lock: connections are opened and closed outside it, against a reserved place.
 */
final class SharedPool<K> implements AutoCloseable {
    private final PoolSettings settings;
    private final Function<K, PgConnection> opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, PoolShare<K>> shares = new HashMap<>();
    /** The one that came back first stands first. */
    private final LinkedHashSet<PooledConnection<K>> idle = new LinkedHashSet<>();

    private int open;
    private int waiting;
    private boolean closed;

    SharedPool(PoolSettings settings, Function<K, PgConnection> opener) {
        this.settings = settings;
        this.opener = opener;
    }

    /**
     * A connection for the caller alone, until {@link #giveBack} or {@link #discard}.
     *
     * @throws PoolExhausted after the configured wait
     * @throws SqlError when PostgreSQL refused a new connection
     */
    PooledConnection<K> borrow(K key) {
        List<PooledConnection<K>> evicted = new ArrayList<>();
        PooledConnection<K> ready;
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            PoolShare<K> share = shares.computeIfAbsent(key, unused -> new PoolShare<>());
            if (share.waiters.isEmpty() && !share.idle.isEmpty()) {
                ready = lendWarmest(share);
            } else {
                ready = queue(key, share, evicted);
            }
        } finally {
            lock.unlock();
            evicted.forEach(PooledConnection::close);
        }
        return ready != null ? ready : open(key);
    }

    /** Takes back a connection that is in a clean state. */
    void giveBack(PooledConnection<K> connection) {
        List<PooledConnection<K>> leaving = new ArrayList<>();
        lock.lock();
        try {
            PoolShare<K> share = lentShare(connection);
            share.lent.remove(connection);
            connection.usedNanos = System.nanoTime();
            if (closed
                    || connection.retired
                    || connection.ageNanos() > settings.lifetime().toNanos()) {
                open--;
                leaving.add(connection);
            } else {
                share.idle.addLast(connection);
                idle.add(connection);
            }
            serve(leaving);
            forgetIfEmpty(connection.key(), share);
        } finally {
            lock.unlock();
        }
        leaving.forEach(PooledConnection::close);
    }

    /** Takes back a connection of which nothing is known but that it must not be used again. */
    void discard(PooledConnection<K> connection) {
        List<PooledConnection<K>> evicted = new ArrayList<>();
        lock.lock();
        try {
            PoolShare<K> share = lentShare(connection);
            share.lent.remove(connection);
            open--;
            serve(evicted);
            forgetIfEmpty(connection.key(), share);
        } finally {
            lock.unlock();
        }
        connection.abort();
        evicted.forEach(PooledConnection::close);
    }

    /** Closes what is idle for these logins now, and what is lent when it comes back. */
    void retire(Predicate<K> which) {
        List<PooledConnection<K>> leaving = new ArrayList<>();
        lock.lock();
        try {
            for (var entry : List.copyOf(shares.entrySet())) {
                if (which.test(entry.getKey())) {
                    PoolShare<K> share = entry.getValue();
                    share.lent.forEach(connection -> connection.retired = true);
                    List.copyOf(share.idle).forEach(connection -> leaving.add(removeIdle(connection)));
                }
            }
            serve(leaving);
        } finally {
            lock.unlock();
        }
        leaving.forEach(PooledConnection::close);
    }

    /** Closes what has been idle for too long; called regularly. */
    void closeIdle() {
        List<PooledConnection<K>> leaving = new ArrayList<>();
        lock.lock();
        try {
            for (PooledConnection<K> connection : List.copyOf(idle)) {
                if (connection.idleNanos() < settings.idle().toNanos()) {
                    break;
                }
                leaving.add(removeIdle(connection));
            }
        } finally {
            lock.unlock();
        }
        leaving.forEach(PooledConnection::close);
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
    }

    private PooledConnection<K> open(K key) {
        PooledConnection<K> opened = null;
        try {
            opened = new PooledConnection<>(key, opener.apply(key));
            return opened;
        } finally {
            List<PooledConnection<K>> evicted = new ArrayList<>();
            lock.lock();
            try {
                PoolShare<K> share = requireNonNull(shares.get(key), "a place was reserved");
                share.opening--;
                if (opened == null) {
                    open--;
                    serve(evicted);
                    forgetIfEmpty(key, share);
                } else {
                    share.lent.add(opened);
                }
            } finally {
                lock.unlock();
            }
            evicted.forEach(PooledConnection::close);
        }
    }

    /** Waits for a connection; null when the caller was given a place to open one instead. */
    private PooledConnection<K> queue(K key, PoolShare<K> share, List<PooledConnection<K>> evicted) {
        var waiter = new PoolShare.Waiter<K>(lock.newCondition());
        share.waiters.add(waiter);
        waiting++;
        serve(evicted);
        if (!waiter.served()) {
            await(key, share, waiter);
        }
        return waiter.connection;
    }

    private void await(K key, PoolShare<K> share, PoolShare.Waiter<K> waiter) {
        long left = settings.patience().toNanos();
        try {
            while (!waiter.served() && left > 0) {
                left = waiter.answered.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!waiter.served()) {
            share.waiters.remove(waiter);
            waiting--;
            forgetIfEmpty(key, share);
            throw new PoolExhausted(settings.patience());
        }
    }

    /** Gives out what is free, to waiters only, until nothing more fits. */
    private void serve(List<PooledConnection<K>> evicted) {
        while (waiting > 0) {
            K next = mostDeserving();
            if (next == null) {
                return;
            }
            PoolShare<K> share = shares.get(next);
            PoolShare.Waiter<K> waiter = share.waiters.removeFirst();
            waiting--;
            if (!share.idle.isEmpty()) {
                waiter.connection = lendWarmest(share);
            } else {
                if (open >= settings.cap()) {
                    evicted.add(removeIdle(leastMissed()));
                }
                open++;
                share.opening++;
                waiter.place = true;
            }
            waiter.answered.signal();
        }
    }

    /** The one used last, so that the others may age and close. */
    private PooledConnection<K> lendWarmest(PoolShare<K> share) {
        PooledConnection<K> warm = share.idle.removeLast();
        idle.remove(warm);
        share.lent.add(warm);
        return warm;
    }

    /** The login with a waiter that can be served and the fewest connections in use; null when there is none. */
    private K mostDeserving() {
        K found = null;
        int fewest = Integer.MAX_VALUE;
        boolean room = open < settings.cap() || !idle.isEmpty();
        for (var entry : shares.entrySet()) {
            PoolShare<K> share = entry.getValue();
            boolean servable = !share.idle.isEmpty() || (room && share.total() < settings.perLogin());
            if (!share.waiters.isEmpty() && servable && share.held() < fewest) {
                fewest = share.held();
                found = entry.getKey();
            }
        }
        return found;
    }

    /**
     * The one idle longest of those whose login has another one, or of all. A login's last one is missed with its next
     * request, which would then take another's last one, and with as many busy logins as connections so on for ever.
     */
    private PooledConnection<K> leastMissed() {
        for (PooledConnection<K> connection : idle) {
            if (shares.get(connection.key()).total() > 1) {
                return connection;
            }
        }
        return idle.getFirst();
    }

    private PooledConnection<K> removeIdle(PooledConnection<K> connection) {
        PoolShare<K> share = shares.get(connection.key());
        share.idle.remove(connection);
        idle.remove(connection);
        open--;
        if (share.empty()) {
            shares.remove(connection.key());
        }
        return connection;
    }

    private PoolShare<K> lentShare(PooledConnection<K> connection) {
        PoolShare<K> share = shares.get(connection.key());
        if (share == null || !share.lent.contains(connection)) {
            throw new IllegalStateException("a connection was given back twice");
        }
        return share;
    }

    private void forgetIfEmpty(K key, PoolShare<K> share) {
        if (share.empty()) {
            shares.remove(key);
        }
    }
}
