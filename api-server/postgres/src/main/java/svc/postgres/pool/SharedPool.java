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
 * and nothing of it remains. At the cap an idle connection makes room; when none can, callers wait, and the next free
 * place goes to the login that holds the fewest, so that one busy project cannot starve another. The rules stand in
 * {@link PoolState}.
 *
 * <p>Nothing slow happens under the lock, and nobody waits in it: connections are opened on threads of their own against
 * a reserved place, and go to whoever of their login waits longest by then. So an event loop may ask.
 */
public final class SharedPool<K, C extends PoolMember> implements AutoCloseable {
    private static final Executor IN_A_MOMENT =
            CompletableFuture.delayedExecutor(PoolState.MOMENT_NANOS, TimeUnit.NANOSECONDS, Runnable::run);

    private final PoolSettings settings;
    private final Function<K, C> opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final PoolState<K, C> books;
    private boolean closed;
    private boolean lookingAgain;

    /** @param opener makes a connection; called on virtual threads */
    public SharedPool(PoolSettings settings, Function<K, C> opener) {
        this.settings = settings;
        this.opener = opener;
        this.books = new PoolState<>(settings);
    }

    /**
     * A connection for the caller alone, until {@link #giveBack} or {@link #discard}. Does not block. Fails with
     * {@link SqlError} when PostgreSQL refused a new connection, and with {@link PoolExhausted} when {@link #tend} finds
     * that the caller has waited too long.
     */
    public CompletableFuture<PooledConnection<K, C>> lend(K key, Access access) {
        return lend(key, access, Optional.empty());
    }

    /**
     * The same for a caller that may be taken along instead, see {@link #companions}; then nothing becomes of what is
     * returned here.
     */
    public CompletableFuture<PooledConnection<K, C>> lend(K key, Access access, Optional<BatchableRequest> companion) {
        var errands = new DeferredActions();
        var waiter = new LoginBucket.Waiter<K, C>(key, access, companion);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            Optional<PooledConnection<K, C>> ready = books.lend(waiter);
            if (ready.isPresent()) {
                return CompletableFuture.completedFuture(ready.get());
            }
            books.enqueue(waiter);
            serve(errands);
        } finally {
            lock.unlock();
        }
        errands.run();
        return waiter.lent();
    }

    /** Up to so many of those who wait for a connection of the same login for the same access: they are the caller's now. */
    public List<BatchableRequest> companions(PooledConnection<K, C> connection, Access access, int most) {
        lock.lock();
        try {
            return books.companions(connection, access, most);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The same for a caller that may block.
     *
     * @throws PoolExhausted after the configured wait
     * @throws SqlError when PostgreSQL refused a new connection
     */
    public PooledConnection<K, C> borrow(K key, Access access) {
        CompletableFuture<PooledConnection<K, C>> lent = lend(key, access);
        try {
            return lent.get(settings.acquireTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            refuse(waiter -> waiter.lent().equals(lent));
        } catch (InterruptedException e) {
            var unused = lent.thenAccept(this::giveBack);
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
    public void giveBack(PooledConnection<K, C> connection) {
        change(errands -> takeBack(connection, errands));
    }

    private void takeBack(PooledConnection<K, C> connection, DeferredActions errands) {
        connection.retired |= closed;
        if (!books.returned(connection)) {
            errands.leaving.add(connection);
        }
    }

    /** Takes back a connection of which nothing is known but that it must not be used again. */
    public void discard(PooledConnection<K, C> connection) {
        connection.connection().abort();
        change(errands -> books.discarded(connection));
    }

    /** Closes what is idle for these logins now, and what is lent when it comes back. */
    public void retire(Predicate<K> which) {
        change(errands -> errands.leaving.addAll(books.retire(which)));
    }

    /** Closes what has been idle for too long; called regularly. */
    public void closeIdle() {
        change(errands -> errands.leaving.addAll(books.expire()));
    }

    /** Refuses those who have waited for longer than is configured; called regularly. */
    public void tend() {
        long acquireTimeout = settings.acquireTimeout().toNanos();
        refuse(waiter -> waiter.waitedNanos() > acquireTimeout);
    }

    private void refuse(Predicate<LoginBucket.Waiter<K, C>> which) {
        change(errands -> errands.refused.addAll(books.dismiss(which, closed)));
    }

    /** Connections open or being opened now, of all logins. */
    public int openConnections() {
        lock.lock();
        try {
            return books.open();
        } finally {
            lock.unlock();
        }
    }

    /** Logins of which anything is held in memory. */
    public int knownLogins() {
        lock.lock();
        try {
            return books.logins();
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

    /** Changes the books, sees who can be served by that, and does what follows outside the lock. */
    private void change(Consumer<DeferredActions> change) {
        var errands = new DeferredActions();
        lock.lock();
        try {
            change.accept(errands);
            serve(errands);
        } finally {
            lock.unlock();
        }
        errands.run();
    }

    /** Gives out what is free until nothing more fits. */
    private void serve(DeferredActions errands) {
        for (Optional<PoolState.Step<K, C>> step = books.next(); step.isPresent(); step = books.next()) {
            switch (step.get()) {
                case PoolState.Step.Hand<K, C> hand -> errands.handing.add(hand);
                case PoolState.Step.Open<K, C> open -> {
                    open.evicted().ifPresent(errands.leaving::add);
                    errands.opening.add(open.key());
                }
            }
        }
        if (books.waiting() > 0 && !lookingAgain && !closed) {
            lookingAgain = true;
            IN_A_MOMENT.execute(() -> change(later -> lookingAgain = false));
        }
    }

    /** What was decided under the lock and is done after it. */
    private final class DeferredActions {
        private final List<PooledConnection<K, C>> leaving = new ArrayList<>(0);
        private final List<K> opening = new ArrayList<>(0);
        private final List<PoolState.Step.Hand<K, C>> handing = new ArrayList<>(0);
        private final List<LoginBucket.Waiter<K, C>> refused = new ArrayList<>(0);

        void run() {
            leaving.forEach(connection -> connection.connection().close());
            opening.forEach(key -> Thread.ofVirtual().name("svc-db-connect").start(() -> open(key)));
            refused.forEach(
                    waiter -> waiter.lent().completeExceptionally(new PoolExhausted(settings.acquireTimeout())));
            for (PoolState.Step.Hand<K, C> hand : handing) {
                if (!hand.waiter().lent().complete(hand.connection())) {
                    giveBack(hand.connection());
                }
            }
        }
    }

    /** Opens a connection in a place that was reserved; it then waits in the pool like one that was given back. */
    private void open(K key) {
        PooledConnection<K, C> opened;
        try {
            opened = new PooledConnection<>(key, opener.apply(key));
        } catch (RuntimeException | Error e) {
            List<LoginBucket.Waiter<K, C>> told = new ArrayList<>(1);
            change(errands -> books.refused(key).ifPresent(told::add));
            told.forEach(waiter -> waiter.lent().completeExceptionally(e));
            return;
        }
        // At once: between the two nobody is on the way for who waits, and a second one would be opened.
        change(errands -> {
            books.opened(opened);
            takeBack(opened, errands);
        });
    }
}
