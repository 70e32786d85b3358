package svc.database.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import svc.database.loop.ProjectLoop.Progress;

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
    private final Map<Key, Entry> entries = new HashMap<>();
    private final Map<Lane, Deque<Entry>> ready = new EnumMap<>(Lane.class);
    private final Map<Lane, Integer> running = new EnumMap<>(Lane.class);
    private final Set<String> runningProjects = new HashSet<>();
    private final Set<Thread> threads = new HashSet<>();

    /** Of runs that succeeded, and took long; the others are entries. */
    private final Set<Key> slow = new HashSet<>();

    private boolean closed;

    /** @param name for the threads and the log */
    public ProjectRunner(String name, RunnerSettings settings) {
        this.name = name;
        this.settings = settings;
        this.clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name + "-clock").factory());
        for (Lane lane : Lane.values()) {
            ready.put(lane, new ArrayDeque<>());
            running.put(lane, 0);
        }
    }

    private enum Lane {
        PROMPT,
        SLOW
    }

    private record Key(String loop, String project) {}

    private enum State {
        READY,
        RUNNING,
        /** Failed, and waits for its next run. */
        DELAYED
    }

    /** A loop's work for one project that is due, or runs. Guarded by the lock. */
    private static final class Entry {
        private final Key key;
        private final ProjectLoop loop;
        private State state = State.READY;
        private Lane lane;
        private int failures;
        private boolean again;
        private CompletableFuture<Void> outcome = new CompletableFuture<>();
        private CompletableFuture<Void> next = new CompletableFuture<>();

        Entry(Key key, ProjectLoop loop, Lane lane) {
            this.key = key;
            this.loop = loop;
            this.lane = lane;
        }
    }

    /** Something is due for a project; as {@link #submit}, for a caller that does not need the outcome. */
    public void due(ProjectLoop loop, String project) {
        CompletableFuture<Void> unused = submit(loop, project);
    }

    /**
     * Something is due for a project. Returns at once; a project that waits already is not queued twice, one that waits after
     * a failure is not run earlier, and one that runs now is run once more.
     *
     * @return completes with the next run that begins from now on, exceptionally if that fails. The failed run is repeated
     *     nevertheless
     */
    public CompletableFuture<Void> submit(ProjectLoop loop, String project) {
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(new RejectedExecutionException(name + " is closed"));
            }
            var key = new Key(loop.name(), project);
            Entry known = entries.get(key);
            if (known != null) {
                known.again = known.state == State.RUNNING;
                return known.again ? known.next : known.outcome;
            }
            var entry = new Entry(key, loop, slow.contains(key) ? Lane.SLOW : Lane.PROMPT);
            entries.put(key, entry);
            enqueue(entry);
            return entry.outcome;
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
        lock.lock();
        try {
            if (!closed) {
                threads.add(thread);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
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

    /** Under the lock. */
    private void enqueue(Entry entry) {
        entry.state = State.READY;
        ready.get(entry.lane).add(entry);
        dispatch();
    }

    /** Under the lock: starts what has a place. Those that are passed over are as many as run, so this is short. */
    private void dispatch() {
        for (Lane lane : Lane.values()) {
            int places = lane == Lane.PROMPT ? settings.prompt() : settings.slow();
            Iterator<Entry> waiting = ready.get(lane).iterator();
            while (!closed && running.get(lane) < places && waiting.hasNext()) {
                Entry entry = waiting.next();
                if (runningProjects.add(entry.key.project())) {
                    waiting.remove();
                    start(entry);
                }
            }
        }
    }

    private void start(Entry entry) {
        entry.state = State.RUNNING;
        running.merge(entry.lane, 1, Integer::sum);
        Thread thread = Thread.ofVirtual().name(name + "-" + entry.key.loop()).unstarted(() -> run(entry));
        threads.add(thread);
        thread.start();
    }

    private void run(Entry entry) {
        Future<?> slowness =
                clock.schedule(() -> leavePlace(entry), settings.slowAfter().toMillis(), TimeUnit.MILLISECONDS);
        long began = System.nanoTime();
        try {
            Progress progress = entry.loop.run(entry.key.project());
            succeeded(
                    entry,
                    progress,
                    System.nanoTime() - began > settings.slowAfter().toNanos());
        } catch (Exception | Error e) {
            failed(entry, e);
        } finally {
            slowness.cancel(false);
        }
    }

    /** A run that takes long moves to the places of the slow ones, if they have one. */
    private void leavePlace(Entry entry) {
        lock.lock();
        try {
            if (entry.state == State.RUNNING && entry.lane == Lane.PROMPT && running.get(Lane.SLOW) < settings.slow()) {
                running.merge(Lane.PROMPT, -1, Integer::sum);
                running.merge(Lane.SLOW, 1, Integer::sum);
                entry.lane = Lane.SLOW;
                dispatch();
            }
        } finally {
            lock.unlock();
        }
    }

    private void succeeded(Entry entry, Progress progress, boolean tookLong) {
        lock.lock();
        try {
            release(entry);
            entry.failures = 0;
            entry.lane = tookLong ? Lane.SLOW : Lane.PROMPT;
            if (tookLong) {
                slow.add(entry.key);
            } else {
                slow.remove(entry.key);
            }
            CompletableFuture<Void> outcome = entry.outcome;
            if (entry.again || progress == Progress.MORE) {
                nextRun(entry);
                enqueue(entry);
            } else {
                entries.remove(entry.key);
                dispatch();
            }
            clock.execute(() -> outcome.complete(null));
        } catch (RejectedExecutionException e) {
            LOG.log(Level.FINEST, "closed meanwhile", e);
        } finally {
            lock.unlock();
        }
    }

    private void failed(Entry entry, Throwable why) {
        lock.lock();
        try {
            release(entry);
            if (closed) {
                return;
            }
            entry.failures++;
            entry.lane = Lane.SLOW;
            entry.state = State.DELAYED;
            CompletableFuture<Void> outcome = entry.outcome;
            nextRun(entry);
            Duration delay = settings.delay(entry.failures, ThreadLocalRandom.current());
            log(entry, why, delay);
            Future<?> unused = clock.schedule(() -> comeBack(entry), delay.toMillis(), TimeUnit.MILLISECONDS);
            clock.execute(() -> outcome.completeExceptionally(why));
            dispatch();
        } catch (RejectedExecutionException e) {
            LOG.log(Level.FINEST, "closed meanwhile", e);
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private static void nextRun(Entry entry) {
        entry.outcome = entry.next;
        entry.next = new CompletableFuture<>();
        entry.again = false;
    }

    private void release(Entry entry) {
        running.merge(entry.lane, -1, Integer::sum);
        runningProjects.remove(entry.key.project());
        threads.remove(Thread.currentThread());
    }

    private void comeBack(Entry entry) {
        lock.lock();
        try {
            enqueue(entry);
        } finally {
            lock.unlock();
        }
    }

    private void log(Entry entry, Throwable why, Duration delay) {
        boolean news = entry.failures == 1 && !(why instanceof ProjectBusyException);
        LOG.log(
                news ? Level.WARNING : Level.FINE,
                why,
                () -> entry.key.loop() + " failed for project " + entry.key.project() + " in " + name + "; retrying in "
                        + delay.toMillis() + " ms");
    }

    /** Interrupts what runs; nothing is begun after it. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            threads.forEach(Thread::interrupt);
            clock.shutdownNow();
        } finally {
            lock.unlock();
        }
    }
}
