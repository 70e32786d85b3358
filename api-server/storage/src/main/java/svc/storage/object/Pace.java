package svc.storage.object;

import svc.platform.memory.ByteBudget;
import svc.platform.memory.ByteBudget.Verdict;

/**
 * How many bytes of a file are read at a time for one reader: more for one that takes them quickly, fewer for a slow one,
 * which holds memory for as long as it takes them. The permit holds the bytes of the current window.
 */
final class Pace {
    /** Of the first window, in bytes. */
    static final int FIRST = 512 << 10;

    private static final int SMALLEST = 64 << 10;
    private static final int LARGEST = 2 << 20;
    private static final long QUICK_NANOS = 500_000_000;
    private static final long SLOW_NANOS = 2_000_000_000;

    private final ByteBudget.Permit memory;
    private long window;
    private long begun;

    /** @param window that the permit holds, in bytes */
    Pace(ByteBudget.Permit memory, long window) {
        this.memory = memory;
        this.window = window;
    }

    /**
     * The length of the next window, which begins now: the last one has been taken.
     *
     * @param left bytes of the file that were not read yet
     * @param nanos by the clock of {@link System#nanoTime}
     */
    long next(long left, long nanos) {
        long taken = nanos - begun;
        if (begun != 0 && taken < QUICK_NANOS) {
            grow(Math.min(LARGEST, 2 * window) - window, left);
        } else if (begun != 0 && taken > SLOW_NANOS) {
            shrink(Math.max(Math.min(window, SMALLEST), window / 2));
        }
        begun = nanos;
        return Math.min(window, left);
    }

    private void grow(long more, long left) {
        // Without waiting: the bytes come in smaller windows otherwise.
        if (more > 0 && left > window && memory.grow(more) == Verdict.GRANTED) {
            window += more;
        }
    }

    private void shrink(long smaller) {
        memory.giveBack(window - smaller);
        window = smaller;
    }
}
