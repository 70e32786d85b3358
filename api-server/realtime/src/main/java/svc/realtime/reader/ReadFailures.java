package svc.realtime.reader;

import java.util.Optional;
import java.util.Set;
import svc.postgres.SqlError;

/** Counts how often reading has failed at one place of the log. Used by one thread. */
final class ReadFailures {
    static final int MAX_ATTEMPTS = 3;

    /** Classes of errors that another attempt may not meet: connection, shutdown, resources, the slot itself. */
    private static final Set<String> PASSING = Set.of("08", "28", "53", "55", "57", "58");

    private static final String OUT_OF_MEMORY = "53200";

    private Optional<Unreadable> last = Optional.empty();
    private int attempts;

    /** Whether another attempt may succeed, wherever the stream ended. */
    static boolean isPassing(RuntimeException failure) {
        return failure instanceof SqlError error
                && PASSING.contains(error.sqlState().substring(0, 2))
                && !error.is(OUT_OF_MEMORY);
    }

    /** A stream has ended there. */
    void add(Unreadable place) {
        boolean again = last.filter(known -> known.commit() == place.commit()).isPresent();
        attempts = again ? attempts + 1 : 1;
        last = Optional.of(place);
    }

    /** A place that is tried no more. */
    Optional<Unreadable> hopeless() {
        return last.filter(place -> attempts >= MAX_ATTEMPTS);
    }

    /** It has been passed, or its slot is gone. */
    void clear() {
        last = Optional.empty();
        attempts = 0;
    }
}
