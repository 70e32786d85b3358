package svc.embedded.kubernetes.log;

import java.time.Instant;
import java.util.Optional;

/**
 * What a reader of a log asks for.
 *
 * @param tailLines at most so many of the last lines
 * @param since no line older than this
 * @param limitBytes about where to stop
 * @param timestamps whether each line begins with its time
 * @param follow whether later lines are wanted too
 */
public record LogQuery(
        Optional<Long> tailLines,
        Optional<Instant> since,
        Optional<Long> limitBytes,
        boolean timestamps,
        boolean follow) {
    /** All lines there are, bare. */
    public static final LogQuery ALL = new LogQuery(Optional.empty(), Optional.empty(), Optional.empty(), false, false);
}
