package svc.platform.process;

import java.time.Duration;
import java.util.Optional;

/**
 * How a pool keeps its processes.
 *
 * @param name of one process, for threads and logs: {@code SQL parser}
 * @param processes that work at the same time
 * @param queueTimeout longest wait for a process
 * @param startLimits for a process that starts
 * @param recycleBytes a process that holds more memory after its work is replaced
 * @param maxIdle how long an unused process is kept; empty for a pool that starts all of its processes at once and keeps them
 */
public record PoolSettings(
        String name,
        int processes,
        Duration queueTimeout,
        ProcessLimits startLimits,
        long recycleBytes,
        Optional<Duration> maxIdle) {
    public PoolSettings {
        if (processes < 1) {
            throw new IllegalArgumentException("a pool has at least one process");
        }
    }

    /** Whether processes are started before a caller needs them. */
    boolean startsEagerly() {
        return maxIdle.isEmpty();
    }
}
