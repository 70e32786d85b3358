package svc.database.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import svc.database.loop.ProjectLoop.Progress;
import svc.database.loop.RunQueue.Entry;

/**
 * Runs background work on projects: several projects at once, one run of a project at a time, in the order of their
 * requests. A run that fails comes back after a delay that grows with each failure, behind all others. A project that is slow
 * or fails uses places of its own, so that a tenant's locks and errors delay this tenant alone.
 */
public final class ProjectRunner implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ProjectRunner.class.getName());

    private final String name;
    private final RunnerSettings settings;
    private final ScheduledExecutorService clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as the threads are. */
    private final RunQueue queue;

    private final Set<Thread> threads = new HashSet<>();
    private boolean closed;

    /** @param name for the threads and the log */
    public ProjectRunner(String name, RunnerSettings settings) {
        this.name = name;
        this.settings = settings;
        this.queue = new RunQueue(settings);
        this.clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name + "-clock").factory());
    }

    /** Something is due for a project; as {@link #submit}, for a caller that does not need the outcome. */
    public void due(ProjectLoop loop, String project) {
        CompletableFuture<Void> unused = submit(loop, project);
    }

    /**
     * Something is due for a project. Returns at once; a project that waits already is not queued twice, one that waits after
     * a failure is not run earlier, and one that runs now is run once more.
     *
     * @return completes with the next run that begins from now on, exceptionally if that fails or this is closed before. The
     *     failed run is repeated nevertheless
     */
    public CompletableFuture<Void> submit(ProjectLoop loop, String project) {
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(closedException());
            }
            CompletableFuture<Void> outcome = queue.add(loop, project);
            dispatch();
            return outcome;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Repeats what finds projects for {@link #submit}, on a thread of its own, until this is closed. An error never ends it.
     *
     * @param what for the log
     * @param interval between two times
     */
    public void repeat(String what, Duration interval, Runnable find) {
        repeat(what, Duration.ZERO, interval, find);
    }

    /** The same after a first delay. */
    public void repeat(String what, Duration first, Duration interval, Runnable find) {
        Thread thread = Thread.ofVirtual().name(name + "-" + what).unstarted(() -> {
            if (isOpenAfter(first)) {
                repeatUntilClosed(what, interval, find);
            }
        });
        locked(() -> {
            if (!closed) {
                threads.add(thread);
                thread.start();
            }
        });
    }

    private void repeatUntilClosed(String what, Duration interval, Runnable find) {
        boolean failing = false;
        do {
            try {
                find.run();
                failing = false;
            } catch (RuntimeException | StackOverflowError e) {
                // Warns once: an unreachable database fails every time.
                LOG.log(failing ? Level.FINE : Level.WARNING, e, () -> what + " failed in " + name + "; retrying");
                failing = true;
            }
        } while (isOpenAfter(interval));
    }

    private static boolean isOpenAfter(Duration delay) {
        try {
            Thread.sleep(delay);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Under the lock, unless this is closed: starts what has a place. */
    private void dispatch() {
        for (Entry entry : queue.start()) {
            Thread thread =
                    Thread.ofVirtual().name(name + "-" + entry.key().loop()).unstarted(() -> run(entry));
            threads.add(thread);
            thread.start();
        }
    }

    /** The outcome is completed at the very end: what depends on it runs on this thread, and may wait for further runs. */
    private void run(Entry entry) {
        Future<?> slowness = afterwards(settings.slowAfter(), () -> queue.leavePlace(entry));
        long began = System.nanoTime();
        try {
            Progress progress = entry.loop().run(entry.key().project());
            boolean tookLong = System.nanoTime() - began > settings.slowAfter().toNanos();
            ended(() -> queue.succeeded(entry, progress, tookLong)).ifPresent(outcome -> outcome.complete(null));
        } catch (Exception | Error e) {
            ended(() -> failed(entry, e)).ifPresent(outcome -> outcome.completeExceptionally(e));
        } finally {
            slowness.cancel(false);
        }
    }

    /** Under the lock. */
    private CompletableFuture<Void> failed(Entry entry, Throwable why) {
        CompletableFuture<Void> outcome = queue.failed(entry);
        Duration delay = settings.delay(entry.failures(), ThreadLocalRandom.current());
        log(entry, why, delay);
        Future<?> unused = afterwards(delay, () -> queue.comeBack(entry));
        return outcome;
    }

    /** Changes the queue some time later, and starts what has a place then. */
    private Future<?> afterwards(Duration delay, Runnable change) {
        Runnable unlessClosed = () -> locked(() -> {
            if (!closed) {
                change.run();
                dispatch();
            }
        });
        try {
            return clock.schedule(unlessClosed, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Closed meanwhile.
            return CompletableFuture.completedFuture(null);
        }
    }

    /** @return the outcome of the run that has ended; empty if this was closed meanwhile, which has completed it */
    private Optional<CompletableFuture<Void>> ended(Supplier<CompletableFuture<Void>> change) {
        lock.lock();
        try {
            threads.remove(Thread.currentThread());
            if (closed) {
                return Optional.empty();
            }
            CompletableFuture<Void> outcome = change.get();
            dispatch();
            return Optional.of(outcome);
        } finally {
            lock.unlock();
        }
    }

    private void log(Entry entry, Throwable why, Duration delay) {
        boolean first = entry.failures() == 1 && !(why instanceof ProjectBusyException);
        LOG.log(
                first ? Level.WARNING : Level.FINE,
                why,
                () -> entry.key().loop() + " failed for project " + entry.key().project() + " in " + name
                        + "; retrying in " + delay.toMillis() + " ms");
    }

    private RejectedExecutionException closedException() {
        return new RejectedExecutionException(name + " is closed");
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts what runs; nothing is begun after it, and what waits for an outcome gets an exception. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> unfinished = new ArrayList<>();
        locked(() -> {
            closed = true;
            threads.forEach(Thread::interrupt);
            clock.shutdownNow();
            unfinished.addAll(queue.clear());
        });
        unfinished.forEach(outcome -> outcome.completeExceptionally(closedException()));
    }
}
