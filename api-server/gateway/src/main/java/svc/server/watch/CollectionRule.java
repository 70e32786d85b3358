package svc.server.watch;

import java.time.Duration;

/**
 * Decides whether a process does nothing but collect garbage: such a process answers no request and never fails with an
 * OutOfMemoryError either, so that nothing would restart it. Pure. Confined to one thread.
 */
final class CollectionRule {
    /** Of the platform. */
    static final Duration WINDOW = Duration.ofSeconds(20);

    /** Of the platform, as a part of the window. */
    static final double MAX_PART = 0.6;

    /** Observations that are kept; those of a window are far fewer. */
    private static final int CAPACITY = 1_024;

    private final long window;
    private final double maxPart;

    // A ring of observations. Made before memory is short: an observation allocates nothing.
    private final long[] at = new long[CAPACITY];
    private final long[] collected = new long[CAPACITY];
    private int first;
    private int count;

    /**
     * @param window what is judged together
     * @param maxPart of the window that collections may take
     */
    CollectionRule(Duration window, double maxPart) {
        this.window = window.toNanos();
        this.maxPart = maxPart;
    }

    /**
     * Adds an observation.
     *
     * @param now by a clock in nanoseconds that never goes back
     * @param total what all collections have taken since the start of the process, in nanoseconds
     * @return the part of the window that collections took, between 0 and 1; 0 until a whole window has been seen
     */
    double observe(long now, long total) {
        if (count == CAPACITY) {
            removeFirst();
        }
        at[(first + count) % CAPACITY] = now;
        collected[(first + count) % CAPACITY] = total;
        count++;
        // The oldest one that is a window old stays: it is the beginning of the window.
        while (count > 1 && now - at[(first + 1) % CAPACITY] >= window) {
            removeFirst();
        }
        long seen = now - at[first];
        return seen < window ? 0 : (double) (total - collected[first]) / seen;
    }

    private void removeFirst() {
        first = (first + 1) % CAPACITY;
        count--;
    }

    /** Whether so large a part ends the process. */
    boolean isDeadly(double part) {
        return part > maxPart;
    }

    /** The rule in words. */
    @Override
    public String toString() {
        return "more than " + Math.round(maxPart * 100) + " % of " + window / 1_000_000 + " ms";
    }
}
