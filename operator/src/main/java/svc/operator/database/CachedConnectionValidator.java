package svc.operator.database;

import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;

/**
 * Validates a connection before the pool lends it, and trusts a successful validation for {@link #MAX_AGE}. A
 * reconciliation is two short statements: validating each time would double its round trips. The age counts from the last
 * validation, never from the last use, so a dead connection is found within it however often it is used.
 */
final class CachedConnectionValidator implements ConnectionValidator {
    static final Duration MAX_AGE = Duration.ofSeconds(1);

    private static final int TIMEOUT_SECONDS = 5;

    private final LongSupplier nanos;
    private final Map<Connection, Long> validated = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param nanos such as {@link System#nanoTime} */
    CachedConnectionValidator(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public boolean isValid(Connection connection) {
        Long last = validated.get(connection);
        long now = nanos.getAsLong();
        if (last != null && now - last < MAX_AGE.toNanos()) {
            return true;
        }
        boolean valid = respond(connection);
        if (valid) {
            validated.put(connection, now);
        }
        return valid;
    }

    private static boolean respond(Connection connection) {
        try {
            return connection.isValid(TIMEOUT_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }
}
