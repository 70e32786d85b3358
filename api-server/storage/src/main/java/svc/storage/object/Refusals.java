package svc.storage.object;

import java.util.function.Supplier;
import svc.postgres.SqlError;
import svc.storage.http.StorageError;

/** What a refusal of PostgreSQL says of a row that was to be written. */
public final class Refusals {
    private static final String UNIQUE = "23505";
    private static final String FOREIGN_KEY = "23503";

    private Refusals() {}

    /** Whether a row is surely not written. A connection that broke does not say; the sweeper finds out later. */
    public static boolean isRefusal(RuntimeException failure) {
        return !(failure instanceof SqlError error) || error.fromServer() && !error.infrastructure();
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
