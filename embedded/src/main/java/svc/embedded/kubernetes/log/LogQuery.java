package svc.embedded.kubernetes.log;

import java.time.Instant;
import java.util.Optional;

/**
 * The parameters of a log request.
 *
 * @param tailLines the maximum number of lines, from the end
 * @param since the time of the oldest line
 * @param limitBytes the approximate maximum size
 * @param timestamps whether each line begins with its time
 * @param follow whether to stream later lines
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
