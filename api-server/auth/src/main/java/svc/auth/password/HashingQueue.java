package svc.auth.password;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;

/**
 * Computes hashes on platform threads of its own: each takes a whole processor, so on the carriers of virtual threads they
 * would stop every request of the process. Projects with waiting computations take turns. A project has a bound; when all
 * places are taken, the newest computation of the project with the most gives way.
 */
final class HashingQueue {
    /** Idle threads end, so that nothing has to be closed. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Bounds bounds;
    private final Executor threads;

    /** In the order of the projects' turns; none is empty. */
    private final Map<UUID, Deque<Waiting>> waiting = new LinkedHashMap<>();

    private int count;

    /**
     * @param threads computations at a time
     * @param perProject waiting computations of one project
     * @param total waiting computations of all projects
     * @param longest time that a computation waits
     */
    record Bounds(int threads, int perProject, int total, Duration longest) {
        /** One processor is left to requests that need no hash. */
        static Bounds ofThisMachine() {
            int processors = Runtime.getRuntime().availableProcessors();
            return new Bounds(Math.max(1, processors - 1), 20, 200, Duration.ofSeconds(10));
        }
    }

    private record Waiting(UUID project, Runnable work, CompletableFuture<?> end) {}

    HashingQueue(Bounds bounds) {
        this.bounds = bounds;
        var pool = new ThreadPoolExecutor(
                bounds.threads(),
                bounds.threads(),
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> Thread.ofPlatform().name("password-hash").daemon().unstarted(work));
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /**
     * Waits for the turn of the project, and for the result.
     *
     * @throws AuthError of 503 beyond the bounds
     */
    <T> T run(UUID project, Supplier<T> work) {
        var end = new CompletableFuture<T>();
        var task = new Waiting(project, () -> compute(work, end), end);
        add(task).ifPresent(loser -> loser.end().completeExceptionally(full()));
        threads.execute(this::computeNext);
        try {
            return end.get(bounds.longest().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return late(task, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            remove(task);
            throw full();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e.getCause());
        }
    }

    private static <T> void compute(Supplier<T> work, CompletableFuture<T> end) {
        try {
            end.complete(work.get());
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
        } finally {
            // After an Error of the JVM the caller must not wait for ever.
            end.completeExceptionally(new IllegalStateException("a computation ended without a result"));
        }
    }

    /** A computation that has begun is worth its end. */
    private <T> T late(Waiting task, CompletableFuture<T> end) {
        if (remove(task)) {
            throw full();
        }
        return end.join();
    }

    private static AuthError full() {
        return AuthErrorCode.PASSWORD_QUEUE_FULL.error().retryAfter(1);
    }

    /** @return the computation that gives way; it may be this one */
    private synchronized Optional<Waiting> add(Waiting task) {
        int own = waiting.getOrDefault(task.project(), new ArrayDeque<>()).size();
        if (own >= bounds.perProject()) {
            return Optional.of(task);
        }
        Optional<Waiting> loser = Optional.empty();
        if (count >= bounds.total()) {
            Deque<Waiting> most = waiting.values().stream()
                    .max(Comparator.comparingInt(Deque::size))
                    .orElseThrow();
            if (most.size() <= own + 1) {
                return Optional.of(task);
            }
            loser = Optional.of(most.removeLast());
            count--;
        }
        waiting.computeIfAbsent(task.project(), project -> new ArrayDeque<>()).addLast(task);
        count++;
        return loser;
    }

    private synchronized boolean remove(Waiting task) {
        Deque<Waiting> own = waiting.get(task.project());
        if (own == null || !own.remove(task)) {
            return false;
        }
        if (own.isEmpty()) {
            waiting.remove(task.project());
        }
        count--;
        return true;
    }

    /** Of those that wait. */
    synchronized int size() {
        return count;
    }

    private void computeNext() {
        next().ifPresent(task -> task.work().run());
    }

    /** The oldest computation of the project whose turn it is; the project's next turn comes after all others'. */
    private synchronized Optional<Waiting> next() {
        Iterator<Deque<Waiting>> turns = waiting.values().iterator();
        if (!turns.hasNext()) {
            return Optional.empty();
        }
        Deque<Waiting> own = turns.next();
        turns.remove();
        Waiting task = own.removeFirst();
        if (!own.isEmpty()) {
            waiting.put(task.project(), own);
        }
        count--;
        return Optional.of(task);
    }
}
