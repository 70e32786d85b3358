package svc.operator.config;

import java.time.Duration;
import java.time.Instant;

/**
 * When to look again at something that no event announces, such as a Secret that is not watched. The interval is as long as
 * the wait so far: it doubles with each look. It is computed from a time in the status, so that a restart does not begin
 * again. Pure.
 */
public final class Backoff {
    private Backoff() {}

    /**
     * @param since when the wait began
     * @param initial the first interval
     * @param max the longest interval; shorter than {@code initial}, it is the only one
     */
    public static Duration next(Instant since, Instant now, Duration initial, Duration max) {
        Duration waited = Duration.between(since, now);
        Duration next = waited.compareTo(initial) > 0 ? waited : initial;
        return next.compareTo(max) < 0 ? next : max;
    }
}
