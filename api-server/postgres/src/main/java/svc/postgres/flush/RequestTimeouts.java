package svc.postgres.flush;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import svc.platform.config.OutageLog;
import svc.postgres.pool.PooledConnection;

/**
 * The timeouts of running requests. A tenant's function can lift statement_timeout for the rest of the transaction,
 * deferred triggers included, so the server's timeout is not enough: a request that exceeds its limit is cancelled, and
 * when it does not react, its connection is closed and its session ended in the server.
 */
final class RequestTimeouts implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(RequestTimeouts.class);
    private static final Duration TICK = Duration.ofMillis(100);
    /** After so long without an answer the server is asked whether it is alive. */
    private static final Duration SUSPECT = Duration.ofSeconds(6);

    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Set<Watched> running = ConcurrentHashMap.newKeySet();
    private final OutageLog faults = new OutageLog(Clock.systemUTC());
    private final Thread ticker;

    private final Duration limit;
    private final Predicate<PooledConnection<?, ?>> silent;

    /**
     * @param limit longest that a flush may take
     * @param silent whether a connection's server answers nothing; must not block
     * @param chores what else is due with each tick, ten times a second
     */
    RequestTimeouts(Duration limit, Predicate<PooledConnection<?, ?>> silent, Runnable chores) {
        this.limit = limit;
        this.silent = silent;
        this.ticker = Thread.ofPlatform().daemon().name("svc-db-clock").start(() -> tick(chores));
    }

    private enum State {
        RUNNING,
        CANCELLED,
        ENDED
    }

    /** One flush that the clock watches. */
    static final class Watched {
        private final PooledConnection<?, ?> connection;
        private final Runnable late;
        private volatile long lateNanos;
        private volatile long beganNanos;
        private volatile long limitNanos;
        private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

        private Watched(PooledConnection<?, ?> connection, Runnable late, Duration limit) {
            long now = System.nanoTime();
            this.connection = connection;
            this.late = late;
            this.beganNanos = now;
            this.lateNanos = now + TICK.toNanos();
            this.limitNanos = now + limit.toNanos();
        }
    }

    Watched watch(PooledConnection<?, ?> connection) {
        return watch(connection, () -> {});
    }

    /**
     * @param late called once, or once after each {@link #restart}, on the clock's thread, when the flush takes longer than a
     *     tenth of a second; quick
     */
    Watched watch(PooledConnection<?, ?> connection, Runnable late) {
        var flush = new Watched(connection, late, limit);
        running.add(flush);
        return flush;
    }

    /** Counts from now on: what was watched is over, and something else runs on the same connection. */
    void restart(Watched flush) {
        long now = System.nanoTime();
        flush.beganNanos = now;
        flush.lateNanos = now + TICK.toNanos();
        flush.limitNanos = now + limit.toNanos();
    }

    /** Whether a cancel was sent: it may hit what runs later. */
    boolean isCancelled(Watched flush) {
        return flush.state.get() == State.CANCELLED;
    }

    /**
     * Stops watching. False when a cancel was sent meanwhile: it may still be on its way and would hit the connection's
     * next user, so the connection must be discarded.
     */
    boolean end(Watched flush) {
        running.remove(flush);
        return flush.state.compareAndSet(State.RUNNING, State.ENDED);
    }

    /** Cancels a flush now, if it still runs and was not cancelled before; true if so. */
    boolean cancel(Watched flush) {
        boolean first = flush.state.compareAndSet(State.RUNNING, State.CANCELLED);
        if (first) {
            flush.limitNanos = System.nanoTime();
            // Opens another connection, which must block neither an event loop nor the clock's thread.
            Thread.ofVirtual().name("svc-db-cancel").start(() -> send(flush));
        }
        return first;
    }

    @Override
    public void close() {
        ticker.interrupt();
    }

    private void tick(Runnable chores) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(TICK);
                turn(chores);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void turn(Runnable chores) {
        long now = System.nanoTime();
        running.forEach(flush -> guarded(() -> check(flush, now)));
        guarded(chores);
    }

    /**
     * A failure must not end the clock, nor keep it from what else is due: without it no request of any project is
     * cancelled any more.
     */
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            faults.line("turn", String.valueOf(e))
                    .ifPresent(line -> LOG.errorf(e, "a turn of the clock of requests has failed: %s", line));
        }
    }

    private void check(Watched flush, long now) {
        if (now - flush.lateNanos >= 0) {
            flush.lateNanos = Long.MAX_VALUE / 2 + now;
            flush.late.run();
        }
        if (now - flush.beganNanos > SUSPECT.toNanos() && silent.test(flush.connection) && running.remove(flush)) {
            LOG.warnf("the server of %s does not answer; closing a connection", flush.connection.key());
            giveUp(flush);
            return;
        }
        if (now - flush.limitNanos < 0) {
            return;
        }
        if (!cancel(flush) && now - flush.limitNanos > GRACE.toNanos() && running.remove(flush)) {
            LOG.warnf(
                    "a request of %s did not react to its cancellation; closing its connection",
                    flush.connection.key());
            giveUp(flush);
        }
    }

    private static void giveUp(Watched flush) {
        var unused = flush.connection.connection().abort();
    }

    private static void send(Watched flush) {
        try {
            flush.connection.connection().cancel();
        } catch (SQLException e) {
            LOG.warnf(e, "while cancelling a request of %s", flush.connection.key());
        }
    }
}
