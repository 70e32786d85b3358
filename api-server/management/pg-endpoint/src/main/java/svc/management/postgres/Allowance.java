package svc.management.postgres;

import java.time.Duration;

/**
 * An amount that grows with time up to a bound, and is drawn from; what is charged afterwards may overdraw it. In any unit.
 * Thread-safe.
 */
final class Allowance {
    private static final double SECOND = 1e9;

    private final double perSecond;
    private final double bound;
    private double amount;
    private long since;

    /**
     * @param bound what it has at first, and at most
     * @param now in nanoseconds, of any origin
     */
    Allowance(double perSecond, double bound, long now) {
        this.perSecond = perSecond;
        this.bound = bound;
        this.amount = bound;
        this.since = now;
    }

    /** Until something is left; zero if there is. */
    synchronized Duration until(long now) {
        grow(now);
        return amount > 0 ? Duration.ZERO : Duration.ofNanos((long) ((1e-3 - amount) / perSecond * SECOND) + 1);
    }

    synchronized void charge(double used, long now) {
        grow(now);
        amount -= used;
    }

    private void grow(long now) {
        amount = Math.min(bound, amount + Math.max(0, now - since) / SECOND * perSecond);
        since = now;
    }
}
