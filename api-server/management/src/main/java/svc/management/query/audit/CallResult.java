package svc.management.query.audit;

import java.util.Locale;
import java.util.Optional;

/**
 * How a call ended.
 *
 * @param code of the problem that was answered, or PostgreSQL's SQLSTATE
 * @param rows how many were answered
 */
public record CallResult(Kind kind, Optional<String> code, Optional<Integer> rows) {
    /** The words of the table. */
    public enum Kind {
        COMMITTED,
        /** A dry run that would have been committed. */
        ROLLED_BACK,
        /** A migration that its idempotency key had applied before; nothing ran. */
        REPLAYED,
        FAILED,
        REFUSED,
        DENIED,
        THROTTLED,
        TIMED_OUT,
        /** Nobody can say whether it was applied. */
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
