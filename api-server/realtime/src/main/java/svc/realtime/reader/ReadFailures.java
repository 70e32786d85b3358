package svc.realtime.reader;

import java.util.Optional;

/** Counts how often reading has failed at one place of the log. Used by one thread. */
final class ReadFailures {
    static final int MAX_ATTEMPTS = 3;

    private Optional<Unreadable> last = Optional.empty();
    private int attempts;

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
