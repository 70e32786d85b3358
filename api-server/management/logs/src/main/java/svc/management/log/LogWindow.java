package svc.management.log;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * The time whose lines a query reads.
 *
 * @param to excluded
 */
record LogWindow(Instant from, Instant to) {
    private static final Duration USUAL = Duration.ofHours(24);
    private static final Duration MAX_LENGTH = Duration.ofDays(31);

    /** What Supabase's tools call the limits of the window. */
    static final String START = "iso_timestamp_start";

    static final String END = "iso_timestamp_end";

    /** Of two optional times (ISO 8601); the last 24 hours without them. */
    static LogWindow of(Optional<String> start, Optional<String> end, Clock clock) {
        // The line of a request that ended a moment ago may be of another instance, whose clock is ahead.
        Instant to =
                end.map(text -> time(END, text)).orElseGet(() -> clock.instant().plusSeconds(60));
        Instant from = start.map(text -> time(START, text)).orElseGet(() -> to.minus(USUAL));
        if (!from.isBefore(to)) {
            throw invalid(START + " must be before " + END + ".");
        }
        if (Duration.between(from, to).compareTo(MAX_LENGTH) > 0) {
            throw invalid("The window of a log query is at most " + MAX_LENGTH.toDays() + " days.");
        }
        return new LogWindow(from, to);
    }

    /** @param name of the parameter, for the message */
    static Instant time(String name, String text) {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            // Years that PostgreSQL's clock does not have.
            if (time.isBefore(Instant.EPOCH) || time.isAfter(Instant.parse("9999-12-31T00:00:00Z"))) {
                throw new DateTimeException("out of range");
            }
            return time;
        } catch (DateTimeException e) {
            throw invalid("The parameter " + name + " must be a time such as 2030-01-31T12:00:00Z.");
        }
    }

    private static RuntimeException invalid(String message) {
        return Problem.of(ProblemCode.INVALID_PARAMETER, message).asException();
    }
}
