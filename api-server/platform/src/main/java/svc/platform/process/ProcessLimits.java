package svc.platform.process;

import java.time.Duration;
import java.util.Optional;

/**
 * What a child process may use for one piece of work; it is killed beyond that.
 *
 * @param processorTime of all its threads; empty for no limit but the other two
 * @param wallTime by the clock, a stopped or busy machine included
 * @param residentBytes memory that it holds
 */
public record ProcessLimits(Optional<Duration> processorTime, Duration wallTime, long residentBytes) {
    /** Limits without one on processor time. */
    public ProcessLimits(Duration wallTime, long residentBytes) {
        this(Optional.empty(), wallTime, residentBytes);
    }

    public ProcessLimits withProcessorTime(Duration time) {
        return new ProcessLimits(Optional.of(time), wallTime, residentBytes);
    }
}
