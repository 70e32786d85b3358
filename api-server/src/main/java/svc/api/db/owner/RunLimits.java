package svc.api.db.owner;

import java.time.Duration;

/**
 * What one script may use.
 *
 * @param time from its first statement to its commit, by the platform's clock
 * @param login longest wait for a connection
 * @param rows most rows of the answer
 * @param bytes most memory for the answer
 * @param perProject most scripts of one project at the same time on this instance
 */
public record RunLimits(Duration time, Duration login, int rows, long bytes, int perProject) {
    public static RunLimits defaults() {
        return new RunLimits(Duration.ofSeconds(30), Duration.ofSeconds(10), 10_000, 8L << 20, 4);
    }

    public RunLimits withTime(Duration longest) {
        return new RunLimits(longest, login, rows, bytes, perProject);
    }

    public RunLimits withRows(int most) {
        return new RunLimits(time, login, most, bytes, perProject);
    }
}
