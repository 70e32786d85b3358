package svc.platform.budget;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a budget has, and how it serves those that wait.
 *
 * @param total bytes or places
 * @param line requests that may wait, of all accounts
 * @param streak for a resource that is costly to hand over
 * @param order of accounts that wait and hold the same
 * @param reclaim when permits are taken back
 * @param clock in nanoseconds, where time counts
 */
public record BudgetSettings(
        long total, int line, Streak streak, Order order, Reclaim reclaim, Optional<LongSupplier> clock) {
    public BudgetSettings {
        if (total <= 0) {
            throw new IllegalArgumentException("a budget of " + total);
        }
    }

    /**
     * How long a resource stays with an account before it goes to another one that waits.
     *
     * @param requests that are served one after the other
     * @param time of theirs after which the streak ends early
     */
    public record Streak(int requests, Duration time) {
        static final Streak NONE = new Streak(1, Duration.ZERO);
    }

    /** Which of two accounts comes first that wait and hold the same. */
    enum Order {
        /** The one that has had no turn for longest. */
        BY_TURNS,
        /** The one that has held the resource for less time, see {@link PartTimes}. */
        BY_TIME
    }

    /**
     * When permits are taken back.
     *
     * @param tend interval in which a request that waits has others give back
     * @param stuck time without progress after which a permit may be taken back
     */
    record Reclaim(Duration tend, Duration stuck) {
        static final Reclaim DEFAULT = new Reclaim(Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    /** Any number of requests may wait, and accounts take turns. */
    public static BudgetSettings of(long total) {
        return new BudgetSettings(
                total, Integer.MAX_VALUE, Streak.NONE, Order.BY_TURNS, Reclaim.DEFAULT, Optional.empty());
    }

    public BudgetSettings withLine(int requests) {
        return new BudgetSettings(total, requests, streak, order, reclaim, clock);
    }

    public BudgetSettings withStreak(Streak other, LongSupplier nanos) {
        return new BudgetSettings(total, line, other, order, reclaim, Optional.of(nanos));
    }

    /**
     * Accounts share the time of the resource, where one of them holds it for longer than another.
     *
     * @param nanos the clock
     */
    public BudgetSettings byTime(LongSupplier nanos) {
        return new BudgetSettings(total, line, streak, Order.BY_TIME, reclaim, Optional.of(nanos));
    }

    BudgetSettings withTimes(Duration tending, Duration withoutProgress) {
        return new BudgetSettings(total, line, streak, order, new Reclaim(tending, withoutProgress), clock);
    }

    /** In nanoseconds; zero where no time counts. */
    long now() {
        return clock.map(LongSupplier::getAsLong).orElse(0L);
    }
}
