package svc.operator.database;

import java.sql.SQLException;
import java.util.Optional;

/** Finds PostgreSQL's code below an exception, so that others can count it without knowing JDBC. */
public final class SqlStates {
    private SqlStates() {}

    public static Optional<String> of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException failed && failed.getSQLState() != null) {
                return Optional.of(failed.getSQLState());
            }
        }
        return Optional.empty();
    }
}
