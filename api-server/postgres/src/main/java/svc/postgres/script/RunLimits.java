package svc.postgres.script;

import java.time.Duration;

/**
 * Limits of all scripts of an instance; each script's time limit is part of its run.
 *
 * @param login longest wait for a connection
 * @param rows most rows of one answer, of all its statements together
 * @param bytes most memory for one answer
 * @param perProject most scripts of one project at the same time on this instance
 * @param sessions maximum number of scripts of all projects at the same time on this instance. Each is a connection to a
 *     server whose connections the data plane needs as well
 */
public record RunLimits(Duration login, int rows, long bytes, int perProject, int sessions) {
    public static RunLimits defaults() {
        return new RunLimits(Duration.ofSeconds(10), 10_000, 8L << 20, 4, 48);
    }

    public RunLimits withRows(int most) {
        return new RunLimits(login, most, bytes, perProject, sessions);
    }

    public RunLimits withPerProject(int most) {
        return new RunLimits(login, rows, bytes, most, sessions);
    }

    public RunLimits withSessions(int number) {
        return new RunLimits(login, rows, bytes, perProject, number);
    }
}
