package svc.storage.object;

import java.util.Set;
import java.util.function.Supplier;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.http.StorageError;

/** What a refusal of PostgreSQL says of a row that was to be written. */
public final class Refusals {
    private static final String UNIQUE = "23505";
    private static final String FOREIGN_KEY = "23503";

    private Refusals() {}

    /** Codes of refusals after which there is no row: of {@link #refusing}, and of a trigger that keeps the row away. */
    private static final Set<String> UNWRITTEN = Set.of("KeyAlreadyExists", "NoSuchBucket", "DatabaseError");

    /** data_exception and integrity_constraint_violation: another attempt has the same end. */
    private static final Set<String> FINAL_CLASSES = Set.of("22", "23");

    /** insufficient_privilege, raise_exception. */
    private static final Set<String> FINAL_STATES = Set.of("42501", "P0001");

    /** Whether a row is surely not written. A connection that broke does not say; the sweeper finds out later. */
    public static boolean isRefusal(RuntimeException failure) {
        return switch (failure) {
            case SqlError error -> error.fromServer() && !error.infrastructure();
            case StorageError error -> UNWRITTEN.contains(error.code());
            case PoolExhausted nothingWasAsked -> true;
            default -> false;
        };
    }

    /**
     * Whether a row can never be written: the file, its name or the caller's right is at fault. A lock, a deadlock, a
     * timeout or a lack of resources may be over at the next attempt.
     */
    public static boolean isFinal(RuntimeException failure) {
        return switch (failure) {
            case SqlError error ->
                error.fromServer()
                        && (FINAL_CLASSES.contains(error.sqlState().substring(0, 2))
                                || FINAL_STATES.contains(error.sqlState()));
            case StorageError error -> UNWRITTEN.contains(error.code());
            default -> false;
        };
    }

    /** As the other one, without a result. */
    public static void refusing(Runnable work) {
        refusing(() -> {
            work.run();
            return true;
        });
    }

    /** Says that a file is there already, or its bucket no longer. */
    public static <T> T refusing(Supplier<T> work) {
        try {
            return work.get();
        } catch (SqlError e) {
            if (e.is(UNIQUE)) {
                throw StorageError.objectExists();
            }
            throw e.is(FOREIGN_KEY) ? StorageError.noSuchBucket() : e;
        }
    }
}
