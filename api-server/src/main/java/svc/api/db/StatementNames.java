package svc.api.db;

import java.lang.reflect.Field;
import java.security.SecureRandom;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;

/**
 * Makes the names of the driver's prepared statements unguessable.
 *
 * <p>The driver counts S_1, S_2, … Code of a tenant that runs {@code DEALLOCATE "S_2"; PREPARE "S_2" AS …} would put its
 * own statement in the place of ours, and the next caller's request would run it, with that caller's binds. PREPARE and
 * DEALLOCATE have no privilege, and the list of prepared statements is closed to tenants, so a random start of the count
 * is what keeps ours apart. DEALLOCATE ALL needs no name, but then our next statement is missed by the server and the
 * connection is replaced.
 */
final class StatementNames {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String COUNTER = "nextUniqueID";

    private StatementNames() {}

    /** @throws IllegalStateException when the driver counts in another way than the one this was written for */
    static void makeUnguessable(PgConnection connection) {
        QueryExecutor executor = connection.getQueryExecutor();
        try {
            Field counter = executor.getClass().getDeclaredField(COUNTER);
            counter.setAccessible(true);
            // Half of the range, so that counting never runs over.
            counter.setLong(executor, RANDOM.nextLong(Long.MAX_VALUE / 2));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("the names of prepared statements cannot be set with this driver", e);
        }
    }
}
