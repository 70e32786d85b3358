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
 * Asks a connection whether it lives before it is lent, unless it was asked a moment ago: a look at a project is two short
 * statements, and asking each time would be as many again. The moment counts from the last answer, never from the last use,
 * so a dead connection is found within it however often it is used.
 */
final class CachedConnectionValidator implements ConnectionValidator {
    static final Duration MOMENT = Duration.ofSeconds(1);

    private static final int ANSWER_SECONDS = 5;

    private final LongSupplier nanos;
    private final Map<Connection, Long> asked = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param nanos such as {@link System#nanoTime} */
    CachedConnectionValidator(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public boolean isValid(Connection connection) {
        Long last = asked.get(connection);
        long now = nanos.getAsLong();
        if (last != null && now - last < MOMENT.toNanos()) {
            return true;
        }
        boolean valid = answers(connection);
        if (valid) {
            asked.put(connection, now);
        }
        return valid;
    }

    private static boolean answers(Connection connection) {
        try {
            return connection.isValid(ANSWER_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }
}
