package svc.postgres.script;

import java.time.Duration;

/**
 * Limits of all scripts of an instance; each script's time limit is part of its run.
 *
 * @param login longest wait for a connection
 * @param rows most rows of one answer, of all its statements together
 * @param bytes most memory for one answer
 * @param perProject most scripts of one project at the same time on this instance
 */
public record RunLimits(Duration login, int rows, long bytes, int perProject) {
    public static RunLimits defaults() {
        return new RunLimits(Duration.ofSeconds(10), 10_000, 8L << 20, 4);
    }

    public RunLimits withRows(int most) {
        return new RunLimits(login, most, bytes, perProject);
    }

    public RunLimits withPerProject(int most) {
        return new RunLimits(login, rows, bytes, most);
    }
}
