package svc.platform.ratelimit;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A semaphore whose waiters block no thread: a queued action runs when a permit is released. First in, first out. */
final class AsyncSemaphore {
    private final Queue<Waiter> waiting = new ArrayDeque<>();
    private int permits;

    AsyncSemaphore(int permits) {
        this.permits = permits;
    }

    /**
     * A queued action.
     *
     * @param end once complete, the action is skipped: its caller has timed out
     */
    private record Waiter(CompletableFuture<?> end, Runnable begin) {}

    /** Runs the action now, or when a permit is released; skips it when {@code end} is complete by then. */
    void acquire(CompletableFuture<?> end, Runnable begin) {
        synchronized (this) {
            if (permits == 0) {
                waiting.add(new Waiter(end, begin));
                return;
            }
            permits--;
        }
        begin.run();
    }

    /** Returns the permit of an action that ran; called exactly once for each. */
    void release() {
        Waiter next;
        synchronized (this) {
            do {
                next = waiting.poll();
            } while (next != null && next.end().isDone());
            if (next == null) {
                permits++;
                return;
            }
        }
        next.begin().run();
    }
}
