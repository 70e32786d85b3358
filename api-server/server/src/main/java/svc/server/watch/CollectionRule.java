package svc.server.watch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides whether a process does nothing but collect garbage: such a process answers nobody and never fails with an
 * OutOfMemoryError either, so that nothing would restart it. Pure. Confined to one thread.
 */
final class CollectionRule {
    /** Of the platform. */
    static final Duration WINDOW = Duration.ofSeconds(20);

    /** Of the platform, as a part of the window. */
    static final double MAX_PART = 0.6;

    private final long window;
    private final double maxPart;
    private final Deque<Sample> samples = new ArrayDeque<>();

    /**
     * @param window what is judged together
     * @param maxPart of the window that collections may take
     */
    CollectionRule(Duration window, double maxPart) {
        this.window = window.toNanos();
        this.maxPart = maxPart;
    }

    private record Sample(long at, long collected) {}

    /**
     * Adds an observation.
     *
     * @param at by a clock in nanoseconds that never goes back
     * @param collected what all collections have taken since the start of the process, in nanoseconds
     * @return the part of the window that collections took, between 0 and 1; 0 until a whole window has been seen
     */
    double observe(long at, long collected) {
        samples.addLast(new Sample(at, collected));
        // The oldest one that is a window old stays: it is the beginning of the window.
        while (samples.size() > 1 && at - second().at() >= window) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        long seen = at - first.at();
        return seen < window ? 0 : (double) (collected - first.collected()) / seen;
    }

    private Sample second() {
        var all = samples.iterator();
        all.next();
        return all.next();
    }

    /** Whether so large a part ends the process. */
    boolean isDeadly(double part) {
        return part > maxPart;
    }
}
