package svc.platform.projectlog;

/**
 * How much one process takes on before it is sent.
 *
 * @param queue lines that wait
 * @param projectQueue lines of one project that wait
 * @param rate lines a second of one project
 * @param burst lines of one project at once
 */
public record LogLimits(int queue, int projectQueue, int rate, int burst) {
    public LogLimits {
        if (queue < 1 || projectQueue < 1 || rate < 1 || burst < 1) {
            throw new IllegalArgumentException("svc.logs: each limit is 1 or more");
        }
    }

    static LogLimits of(LogConfig config) {
        return new LogLimits(config.queue(), config.projectQueue(), config.projectRate(), config.projectBurst());
    }
}
