package svc.extensions.share;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work on other threads, whose end can be awaited. Thread-safe. */
public final class Ongoing {
    private final Executor threads;
    private final Set<CompletableFuture<Void>> works = ConcurrentHashMap.newKeySet();

    /** @param threads runs what may block */
    public Ongoing(Executor threads) {
        this.threads = threads;
    }

    /** @throws RejectedExecutionException when the process ends; then nothing was begun */
    public void begin(Runnable work) {
        CompletableFuture<Void> end = CompletableFuture.runAsync(work, threads);
        works.add(end);
        var unused = end.whenComplete((nothing, failure) -> works.remove(end));
    }

    /**
     * Waits until all that has begun has ended.
     *
     * @return false when some had not after the time
     */
    public boolean await(Duration limit) throws InterruptedException {
        try {
            CompletableFuture.allOf(works.toArray(CompletableFuture[]::new))
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            // All have ended, one of them with an error.
            return true;
        }
    }
}
