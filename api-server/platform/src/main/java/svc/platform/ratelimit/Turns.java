package svc.platform.ratelimit;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Lets so many at a time; the others wait in a row, and on no thread. Whoever has begun says when that is over. */
final class Turns {
    private final Queue<Turn> waiting = new ArrayDeque<>();
    private int free;

    Turns(int most) {
        this.free = most;
    }

    /**
     * One who waits.
     *
     * @param end nobody waits for it any more once it is complete
     */
    private record Turn(CompletableFuture<?> end, Runnable begin) {}

    /** Begins now, or when others are over; never when {@code end} is complete by then. */
    void take(CompletableFuture<?> end, Runnable begin) {
        synchronized (this) {
            if (free == 0) {
                waiting.add(new Turn(end, begin));
                return;
            }
            free--;
        }
        begin.run();
    }

    /** Of who has begun, once. */
    void over() {
        Turn next;
        synchronized (this) {
            do {
                next = waiting.poll();
            } while (next != null && next.end().isDone());
            if (next == null) {
                free++;
                return;
            }
        }
        next.begin().run();
    }
}
