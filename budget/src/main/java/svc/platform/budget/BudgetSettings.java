package svc.platform.budget;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What a budget has, and how it serves those that wait.
 *
 * @param total bytes or places
 * @param line requests that may wait, of all accounts
 * @param streak for a resource that is costly to hand over
 * @param tend interval in which a request that waits has others give back
 * @param stuck time without progress after which a permit may be taken back
 * @param nanos the clock of streaks
 */
public record BudgetSettings(long total, int line, Streak streak, Duration tend, Duration stuck, LongSupplier nanos) {
    private static final Duration TEND = Duration.ofSeconds(1);
    private static final Duration STUCK = Duration.ofSeconds(5);

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

    /** Any number of requests may wait, and accounts take turns. */
    public static BudgetSettings of(long total) {
        return new BudgetSettings(total, Integer.MAX_VALUE, Streak.NONE, TEND, STUCK, System::nanoTime);
    }

    public BudgetSettings withLine(int requests) {
        return new BudgetSettings(total, requests, streak, tend, stuck, nanos);
    }

    public BudgetSettings withStreak(Streak other, LongSupplier clock) {
        return new BudgetSettings(total, line, other, tend, stuck, clock);
    }

    BudgetSettings withTimes(Duration tending, Duration withoutProgress) {
        return new BudgetSettings(total, line, streak, tending, withoutProgress, nanos);
    }
}
