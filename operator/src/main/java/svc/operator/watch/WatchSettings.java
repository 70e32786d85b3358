package svc.operator.watch;

import java.time.Duration;
import svc.operator.watch.rule.WatchLimits;

/**
 * The watch's settings, see {@code svc.watch} in docs/operator.md.
 *
 * @param interval between two passes
 * @param lockShare the part of a server's table of locks that one project may hold, above 0 and up to 1
 * @param others the limits that do not depend on the server; its locks are ignored
 */
public record WatchSettings(Duration interval, double lockShare, WatchLimits others) {
    /** Below this a project could not create a few dozen tables in one transaction, however small the server's table is. */
    private static final long MIN_LOCKS = 1_000;

    /** @throws IllegalArgumentException for a value out of its range */
    public WatchSettings {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("svc.watch.interval must be longer than zero");
        }
        if (!(lockShare > 0 && lockShare <= 1)) {
            throw new IllegalArgumentException("svc.watch.lock-share must be above 0 and at most 1");
        }
    }

    /** @param lockCapacity how many locks the server can hold */
    public WatchLimits limits(long lockCapacity) {
        return others.withLocks(Math.max(MIN_LOCKS, (long) (lockCapacity * lockShare)));
    }

    public Duration maintenanceTime() {
        return others.maintenanceTime();
    }
}
