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
 * Which connections a {@link SharedPool} has, who waits, and who is next. Opens and closes nothing, and is guarded by the
 * pool's lock.
 */
final class PoolState<K, C extends PoolMember> {
    /**
     * So many connections of a login may be in use for less than {@link #MOMENT_NANOS}. While queries are that quick, each
     * connection is soon free again, and few busy sessions do the work of many with less of the server's processor, whose
     * caches hold a few. A query that takes longer does not count, so slow ones get as many connections as they need; nor
     * does a write that goes alone, which waits for the disk: those that wait together are flushed together.
     */
    private static final int PROMPT = 4;

    static final long MOMENT_NANOS = 4_000_000L;

    /** A connection idle for less than this belongs to a login with work to do. */
    private static final long BUSY_NANOS = 500_000_000L;

    private final PoolSettings settings;
    private final Map<K, LoginBucket<K, C>> shares = new HashMap<>();
    /** The one that came back first stands first. */
    private final LinkedHashSet<PooledConnection<K, C>> idle = new LinkedHashSet<>();

    private int open;
    private int waiting;

    PoolState(PoolSettings settings) {
        this.settings = settings;
    }

    /** What is to be done next. */
    sealed interface Step<K, C extends PoolMember> {
        /** A waiter has got a connection. */
        record Hand<K, C extends PoolMember>(LoginBucket.Waiter<K, C> waiter, PooledConnection<K, C> connection)
                implements Step<K, C> {}

        /** A place is reserved for a new connection; another one may have to be closed for it. */
        record Open<K, C extends PoolMember>(K key, Optional<PooledConnection<K, C>> evicted) implements Step<K, C> {}
    }

    /** Connections open or being opened now, of all logins. */
    int open() {
        return open;
    }

    int waiting() {
        return waiting;
    }

    /** Logins of which anything is held in memory. */
    int logins() {
        return shares.size();
    }

    /** An idle connection of a login for which nobody waits, now lent to one who would have to. */
    Optional<PooledConnection<K, C>> lend(LoginBucket.Waiter<K, C> asking) {
        LoginBucket<K, C> share = shares.get(asking.key());
        return share != null && share.waiters.isEmpty() && !share.idle.isEmpty() && mayUse(share, asking)
                ? Optional.of(lendWarmest(share, asking))
                : Optional.empty();
    }

    void enqueue(LoginBucket.Waiter<K, C> waiter) {
        shares.computeIfAbsent(waiter.key(), unused -> new LoginBucket<>())
                .waiters
                .add(waiter);
        waiting++;
    }

    /** Takes out those who wait longest for this connection's login, as long as they may be taken along for that access. */
    List<BatchableRequest> companions(PooledConnection<K, C> connection, Access access, int most) {
        LoginBucket<K, C> share = lentShare(connection);
        List<BatchableRequest> taken = new ArrayList<>(0);
        int wanted = Math.min(most, (share.waiters.size() + PROMPT - 1) / PROMPT);
        while (taken.size() < wanted && share.waiters.getFirst().mayJoin(access)) {
            taken.add(share.waiters.removeFirst().companion().get());
        }
        waiting -= taken.size();
        return taken;
    }

    /** Takes those out who wait for a place in vain; a login on its way has a limit of its own. */
    List<LoginBucket.Waiter<K, C>> dismiss(Predicate<LoginBucket.Waiter<K, C>> which, boolean all) {
        List<LoginBucket.Waiter<K, C>> dismissed = new ArrayList<>();
        for (var entry : List.copyOf(shares.entrySet())) {
            LoginBucket<K, C> share = entry.getValue();
            share.waiters.stream().skip(all ? 0 : share.opening).filter(which).forEach(dismissed::add);
            share.waiters.removeAll(dismissed);
            forgetIfEmpty(entry.getKey(), share);
        }
        waiting -= dismissed.size();
        return dismissed;
    }

    /** The next thing to do for somebody who waits, already noted as done; empty when nothing fits. */
    Optional<Step<K, C>> next() {
        if (waiting == 0) {
            return Optional.empty();
        }
        K key = mostDeserving();
        if (key == null) {
            return Optional.empty();
        }
        LoginBucket<K, C> share = shares.get(key);
        if (!share.idle.isEmpty()) {
            waiting--;
            LoginBucket.Waiter<K, C> first = share.waiters.removeFirst();
            return Optional.of(new Step.Hand<>(first, lendWarmest(share, first)));
        }
        Optional<PooledConnection<K, C>> evicted = open < settings.cap()
                ? Optional.empty()
                : Optional.of(removeIdle(requireNonNull(leastMissed(share), "somebody makes room")));
        open++;
        share.opening++;
        return Optional.of(new Step.Open<>(key, evicted));
    }

    /** A connection was opened in a place that was reserved. */
    void opened(PooledConnection<K, C> connection) {
        LoginBucket<K, C> share = reserved(connection.key());
        share.opening--;
        share.lent.add(connection);
    }

    /** None was; the one who has waited longest is to hear why. */
    Optional<LoginBucket.Waiter<K, C>> refused(K key) {
        LoginBucket<K, C> share = reserved(key);
        share.opening--;
        open--;
        Optional<LoginBucket.Waiter<K, C>> told = Optional.ofNullable(share.waiters.pollFirst());
        told.ifPresent(waiter -> waiting--);
        forgetIfEmpty(key, share);
        return told;
    }

    /** A connection came back; true when it stays. */
    boolean returned(PooledConnection<K, C> connection) {
        connection.usedNanos = System.nanoTime();
        boolean stays = !connection.retired
                && connection.ageNanos() <= settings.lifetime().toNanos();
        LoginBucket<K, C> share = lentShare(connection);
        share.lent.remove(connection);
        if (stays) {
            share.idle.addLast(connection);
            idle.add(connection);
        } else {
            open--;
            forgetIfEmpty(connection.key(), share);
        }
        return stays;
    }

    /** A connection came back that must not be used again. */
    void discarded(PooledConnection<K, C> connection) {
        LoginBucket<K, C> share = lentShare(connection);
        share.lent.remove(connection);
        open--;
        forgetIfEmpty(connection.key(), share);
    }

    /** Marks what is lent for these logins, and takes out what is idle. */
    List<PooledConnection<K, C>> retire(Predicate<K> which) {
        List<PooledConnection<K, C>> leaving = new ArrayList<>();
        for (var entry : List.copyOf(shares.entrySet())) {
            if (which.test(entry.getKey())) {
                LoginBucket<K, C> share = entry.getValue();
                share.lent.forEach(connection -> connection.retired = true);
                List.copyOf(share.idle).forEach(connection -> leaving.add(removeIdle(connection)));
            }
        }
        return leaving;
    }

    /** Takes out what has been idle for too long. */
    List<PooledConnection<K, C>> expire() {
        List<PooledConnection<K, C>> leaving = new ArrayList<>();
        while (!idle.isEmpty() && idle.getFirst().idleNanos() >= settings.idle().toNanos()) {
            leaving.add(removeIdle(idle.getFirst()));
        }
        return leaving;
    }

    /** The one used last, so that the others may age and close. */
    private PooledConnection<K, C> lendWarmest(LoginBucket<K, C> share, LoginBucket.Waiter<K, C> asking) {
        PooledConnection<K, C> warm = share.idle.removeLast();
        idle.remove(warm);
        share.lent.add(warm);
        warm.lentNanos = System.nanoTime() - (asking.isPrompt() ? 0 : MOMENT_NANOS);
        return warm;
    }

    /** The login with a waiter that can be served and the fewest connections in use; null when there is none. */
    private K mostDeserving() {
        K found = null;
        int fewest = Integer.MAX_VALUE;
        for (var entry : shares.entrySet()) {
            LoginBucket<K, C> share = entry.getValue();
            if (!share.waiters.isEmpty()
                    && share.held() < fewest
                    && mayUse(share, share.waiters.getFirst())
                    && (!share.idle.isEmpty() || mayOpen(share))) {
                fewest = share.held();
                found = entry.getKey();
            }
        }
        return found;
    }

    private static boolean mayUse(LoginBucket<?, ?> share, LoginBucket.Waiter<?, ?> asking) {
        return !asking.isPrompt() || share.prompt(MOMENT_NANOS) < PROMPT;
    }

    private boolean mayOpen(LoginBucket<K, C> share) {
        return share.waiters.size() > share.opening
                && share.opening < settings.opening()
                && share.total() < settings.perLogin()
                && (open < settings.cap() || leastMissed(share) != null);
    }

    /**
     * Who makes room for one more of {@code asking}: the one idle longest of those whose login has another one. A login's
     * last one leaves only for a login that has none, or when it is not in use from one moment to the next: it is missed
     * with the next request, and that would take another's last one, with as many busy logins as connections so on for
     * ever. Null when nobody makes room.
     */
    private PooledConnection<K, C> leastMissed(LoginBucket<K, C> asking) {
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
        LoginBucket<K, C> share = shares.get(connection.key());
        share.idle.remove(connection);
        idle.remove(connection);
        open--;
        forgetIfEmpty(connection.key(), share);
        return connection;
    }

    private LoginBucket<K, C> lentShare(PooledConnection<K, C> connection) {
        LoginBucket<K, C> share = shares.get(connection.key());
        if (share == null || !share.lent.contains(connection)) {
            throw new IllegalStateException("a connection was given back twice");
        }
        return share;
    }

    private LoginBucket<K, C> reserved(K key) {
        return requireNonNull(shares.get(key), "a place was reserved");
    }

    private void forgetIfEmpty(K key, LoginBucket<K, C> share) {
        if (share.empty()) {
            shares.remove(key);
        }
    }
}
