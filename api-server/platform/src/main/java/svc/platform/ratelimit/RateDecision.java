package svc.platform.ratelimit;

import java.time.Duration;

/**
 * Whether a call may go on.
 *
 * @param limit calls in a window
 * @param remaining calls that are left in it
 * @param reset until the oldest counted call leaves the window, so that one more is possible
 */
public record RateDecision(boolean allowed, int limit, int remaining, Duration reset) {
    /** Whole seconds, rounded up, as headers have it. */
    public long resetSeconds() {
        return Math.max(1, (reset.toMillis() + 999) / 1000);
    }
}
