package svc.database.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What a {@link ProjectRunner} does at once, and when it repeats what failed.
 *
 * @param prompt maximum number of runs at once, without those of {@code slow}
 * @param slow the same of runs that failed or took long the last time, or take long now
 * @param slowAfter a run that takes longer leaves its place to others
 * @param firstDelay before a failed run is repeated; doubled by each further failure
 * @param maxDelay the longest
 */
public record RunnerSettings(int prompt, int slow, Duration slowAfter, Duration firstDelay, Duration maxDelay) {
    private static final Duration SLOW_AFTER = Duration.ofSeconds(1);
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);
    private static final int MAX_DOUBLINGS = 20;

    public RunnerSettings {
        if (prompt < 1 || slow < 1) {
            throw new IllegalArgumentException("places for " + prompt + " prompt and " + slow + " slow runs");
        }
    }

    /** @param maxDelay also what a project waits for at most after it has released its locks */
    public static RunnerSettings of(int prompt, int slow, Duration maxDelay) {
        return new RunnerSettings(prompt, slow, SLOW_AFTER, FIRST_DELAY, maxDelay);
    }

    public RunnerSettings withFirstDelay(Duration delay) {
        return new RunnerSettings(prompt, slow, slowAfter, delay, maxDelay);
    }

    /** By half at most earlier or later, so that what failed together does not come back together. */
    Duration delay(int failures, RandomGenerator random) {
        long doubled = firstDelay.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
        long delay = Math.min(maxDelay.toMillis(), doubled);
        return Duration.ofMillis(delay / 2 + random.nextLong(delay / 2 + 1));
    }
}
