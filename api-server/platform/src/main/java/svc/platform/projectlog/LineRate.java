package svc.platform.projectlog;

import java.util.UUID;

/** The rate at which one project may put lines into the queue of this process, and the lines that it lost. */
final class LineRate {
    private final UUID projectId;
    private final LogLimits limits;
    private double tokens;
    private long refilled;
    private long lost;
    private LogSource lostSource = LogSource.EDGE;

    LineRate(UUID projectId, LogLimits limits, long nanos) {
        this.projectId = projectId;
        this.limits = limits;
        this.tokens = limits.burst();
        this.refilled = nanos;
    }

    UUID projectId() {
        return projectId;
    }

    /** Takes the places of one line, if the rate allows it. */
    synchronized boolean take(long nanos, int places) {
        refill(nanos);
        if (tokens < places) {
            return false;
        }
        tokens -= places;
        return true;
    }

    /** Whether the rate allows a line now. */
    synchronized boolean has(long nanos) {
        refill(nanos);
        return tokens >= 1;
    }

    private void refill(long nanos) {
        tokens = Math.min(limits.burst(), tokens + (nanos - refilled) / 1e9 * limits.rate());
        refilled = nanos;
    }

    /** Counts lines that are lost; true for the first since they were reported. */
    synchronized boolean lose(LogSource source, long lines) {
        lost += lines;
        lostSource = source;
        return lost == lines;
    }

    /** Lines lost since they were reported. */
    record Loss(LogSource source, long lines) {}

    synchronized Loss takeLoss() {
        var loss = new Loss(lostSource, lost);
        lost = 0;
        return loss;
    }
}
