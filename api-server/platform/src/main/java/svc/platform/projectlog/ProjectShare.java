package svc.platform.projectlog;

import java.util.UUID;

/** What one project may put into the queue of this process: a number of places for lines that wait, and a rate. */
final class ProjectShare {
    private final UUID projectId;
    private final LogLimits limits;
    private int waiting;
    private double tokens;
    private long refilled;
    private long lost;
    private LogSource lostSource = LogSource.EDGE;

    ProjectShare(UUID projectId, LogLimits limits, long nanos) {
        this.projectId = projectId;
        this.limits = limits;
        this.tokens = limits.burst();
        this.refilled = nanos;
    }

    UUID projectId() {
        return projectId;
    }

    /** Takes the places of one line, if the project has so many left. */
    synchronized boolean enter(long nanos, int places) {
        refill(nanos);
        if (waiting + places > limits.projectQueue() || tokens < places) {
            return false;
        }
        tokens -= places;
        waiting += places;
        return true;
    }

    /** Whether a line could enter now. */
    synchronized boolean hasPlace(long nanos) {
        refill(nanos);
        return waiting < limits.projectQueue() && tokens >= 1;
    }

    private void refill(long nanos) {
        tokens = Math.min(limits.burst(), tokens + (nanos - refilled) / 1e9 * limits.rate());
        refilled = nanos;
    }

    synchronized void leave(int places) {
        waiting -= places;
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
