package svc.management.audit;

import java.util.Locale;
import java.util.Optional;

/**
 * The result of a call.
 *
 * @param code of the problem, or PostgreSQL's SQLSTATE
 * @param rows number of rows returned
 */
public record CallResult(Kind kind, Optional<String> code, Optional<Integer> rows) {
    /** The values of the column. */
    public enum Kind {
        COMMITTED,
        /** A dry run that would have been committed. */
        ROLLED_BACK,
        /** A replay of a migration that an earlier call with the same idempotency key applied; nothing ran. */
        REPLAYED,
        FAILED,
        REFUSED,
        DENIED,
        THROTTLED,
        TIMED_OUT,
        /** It is unknown whether it was applied. */
        UNKNOWN;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static CallResult of(Kind kind, String code) {
        return new CallResult(kind, Optional.of(code), Optional.empty());
    }

    public static CallResult rolledBack(int rows) {
        return new CallResult(Kind.ROLLED_BACK, Optional.empty(), Optional.of(rows));
    }

    public static CallResult replayed() {
        return new CallResult(Kind.REPLAYED, Optional.empty(), Optional.empty());
    }

    public static CallResult committed(int rows) {
        return new CallResult(Kind.COMMITTED, Optional.empty(), Optional.of(rows));
    }
}
