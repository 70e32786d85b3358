package svc.postgres.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import svc.postgres.Access;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;

/**
 * Connections of many logins under one cap. A login that is not used costs nothing: its last connection closes when idle
 * and its bucket is removed. At the cap an idle connection is evicted; when there is none, callers wait, and the next
 * free place goes to the project that holds the fewest, so that one busy project cannot starve another. The rules are in
 * {@link PoolState} and {@link Accounts}.
 *
 * <p>Nothing slow happens under the lock: connections are opened on threads of their own in a reserved place, and go to
 * the login's longest-waiting caller of then. So an event loop may acquire connections.
 *
 * @param <K> a login
 * @param <R> a request that another caller's connection may serve as well, in one batch
 */
public final class SharedPool<K, C extends PoolMember, R> implements AutoCloseable {
    private static final Executor AFTER_PROMPT_TIME =
            CompletableFuture.delayedExecutor(PoolState.PROMPT_NANOS, TimeUnit.NANOSECONDS, Runnable::run);

    private final PoolSettings settings;
    private final Function<K, C> opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final PoolState<K, C, R> state;
    private boolean closed;
    private boolean servesAgain;

    /** Of logins that have no shares. */
    public SharedPool(PoolSettings settings, Function<K, C> opener) {
        this(settings.withShares(PoolShares.UNLIMITED), PoolOwners.one(), opener);
    }

    /** @param opener opens a connection; called on virtual threads */
    public SharedPool(PoolSettings settings, PoolOwners<K> owners, Function<K, C> opener) {
        this.settings = settings;
        this.opener = opener;
        this.state = new PoolState<>(settings, owners);
    }

    /**
     * Acquires a connection for the caller alone, until {@link #release} or {@link #discard}. Does not block. Fails with
     * {@link SqlError} when PostgreSQL refused a new connection, and with {@link PoolExhausted} when {@link #tend} finds
     * that the caller has waited too long, or at once when too many callers of the project wait already.
     *
     * @param request may be served by another caller's connection instead, see {@link #batch}; the result then never
     *     completes
     */
    public CompletableFuture<PooledConnection<K, C>> acquireAsync(K key, Access access, Optional<R> request) {
        var actions = new DeferredActions();
        var waiter = new Waiter<K, C, R>(key, access, request);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            Optional<PooledConnection<K, C>> ready = state.acquire(waiter);
            if (ready.isPresent()) {
                return CompletableFuture.completedFuture(ready.get());
            }
            if (!state.enqueue(waiter)) {
                return CompletableFuture.failedFuture(
                        PoolExhausted.crowded(settings.shares().waiting()));
            }
            serve(actions);
        } finally {
            lock.unlock();
        }
        actions.run();
        return waiter.lent();
    }

    /** Removes up to so many requests that wait for a connection of the same login and access: the caller serves them. */
    public List<R> batch(PooledConnection<K, C> connection, Access access, int max) {
        lock.lock();
        try {
            return state.batch(connection, access, max);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Acquires a connection, for a caller that may block.
     *
     * @throws PoolExhausted after the configured wait
     * @throws SqlError when PostgreSQL refused a new connection
     */
    public PooledConnection<K, C> acquire(K key, Access access) {
        CompletableFuture<PooledConnection<K, C>> lent = acquireAsync(key, access, Optional.empty());
        try {
            return lent.get(settings.acquireTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            dismiss(waiter -> waiter.lent().equals(lent));
        } catch (InterruptedException e) {
            var unused = lent.thenAccept(this::release);
            Thread.currentThread().interrupt();
            throw new PoolExhausted(settings.acquireTimeout());
        } catch (ExecutionException e) {
            throw failure(e);
        }
        try {
            return lent.join();
        } catch (CompletionException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(Exception failed) {
        return failed.getCause() instanceof RuntimeException why ? why : new IllegalStateException(failed);
    }

    /** Takes back a connection that is in a clean state. */
    public void release(PooledConnection<K, C> connection) {
        change(actions -> takeBack(connection, actions));
    }

    private void takeBack(PooledConnection<K, C> connection, DeferredActions actions) {
        if (!state.returned(connection, !closed)) {
            actions.leaving.add(connection);
        }
    }

    /** Takes back a connection in an unknown state: it is closed, and its place is free when the server has ended it. */
    public void discard(PooledConnection<K, C> connection) {
        CompletableFuture<Void> gone = connection.connection().abort().toCompletableFuture();
        boolean atOnce = gone.isDone();
        change(actions -> {
            state.discarded(connection);
            if (atOnce) {
                state.ended(connection);
            }
        });
        if (!atOnce) {
            var unused = gone.whenComplete((nothing, fault) -> change(actions -> state.ended(connection)));
        }
    }

    /** Closes idle connections of these logins now, and lent ones when they come back. */
    public void retire(Predicate<K> which) {
        change(actions -> actions.leaving.addAll(state.retire(which)));
    }

    /** Closes connections that have been idle for too long; called regularly. */
    public void closeIdle() {
        change(actions -> actions.leaving.addAll(state.expire()));
    }

    /** Fails callers that have waited for longer than is configured; called regularly. */
    public void tend() {
        long timeout = settings.acquireTimeout().toNanos();
        dismiss(waiter -> waiter.waitedNanos() > timeout);
    }

    private void dismiss(Predicate<Waiter<K, C, R>> which) {
        change(actions -> actions.timedOut.addAll(state.dismiss(which)));
    }

    /** Connections open or being opened now, of all logins. */
    public int openConnections() {
        lock.lock();
        try {
            return state.open();
        } finally {
            lock.unlock();
        }
    }

    /** Logins with a connection or a waiting caller. */
    public int knownLogins() {
        lock.lock();
        try {
            return state.logins();
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
        dismiss(waiter -> true);
    }

    /** Changes the state, serves callers that can be served then, and carries out what follows outside the lock. */
    private void change(Consumer<DeferredActions> change) {
        var actions = new DeferredActions();
        lock.lock();
        try {
            change.accept(actions);
            serve(actions);
        } finally {
            lock.unlock();
        }
        actions.run();
    }

    /** Serves waiting callers until no more can be served. */
    private void serve(DeferredActions actions) {
        for (Optional<PoolState.Step<K, C, R>> step = state.next(); step.isPresent(); step = state.next()) {
            switch (step.get()) {
                case PoolState.Step.Hand<K, C, R> hand -> actions.handing.add(hand);
                case PoolState.Step.Open<K, C, R> open -> {
                    open.evicted().ifPresent(actions.leaving::add);
                    actions.opening.add(open.key());
                }
            }
        }
        if (state.waiting() > 0 && !servesAgain && !closed) {
            servesAgain = true;
            AFTER_PROMPT_TIME.execute(() -> change(later -> servesAgain = false));
        }
    }

    /** What was decided under the lock and is done after it. */
    private final class DeferredActions {
        private final List<PooledConnection<K, C>> leaving = new ArrayList<>(0);
        private final List<K> opening = new ArrayList<>(0);
        private final List<PoolState.Step.Hand<K, C, R>> handing = new ArrayList<>(0);
        private final List<Waiter<K, C, R>> timedOut = new ArrayList<>(0);

        void run() {
            leaving.forEach(connection -> connection.connection().close());
            opening.forEach(key -> Thread.ofVirtual().name("svc-db-connect").start(() -> open(key)));
            timedOut.forEach(
                    waiter -> waiter.lent().completeExceptionally(new PoolExhausted(settings.acquireTimeout())));
            for (PoolState.Step.Hand<K, C, R> hand : handing) {
                if (!hand.waiter().lent().complete(hand.connection())) {
                    release(hand.connection());
                }
            }
        }
    }

    /** Opens a connection in a reserved place, and hands it to a caller that waits for one of its login. */
    private void open(K key) {
        PooledConnection<K, C> opened;
        try {
            opened = new PooledConnection<>(key, opener.apply(key));
        } catch (RuntimeException | Error e) {
            List<Waiter<K, C, R>> failed = new ArrayList<>(1);
            change(actions -> state.openingFailed(key).ifPresent(failed::add));
            failed.forEach(waiter -> waiter.lent().completeExceptionally(e));
            return;
        }
        // In one step: in between, another connection would be opened for the same caller.
        change(actions -> {
            state.opened(opened).ifPresentOrElse(actions.handing::add, () -> takeBack(opened, actions));
        });
    }
}
