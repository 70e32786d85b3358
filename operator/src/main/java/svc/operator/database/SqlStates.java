package svc.operator.database;

import java.sql.SQLException;
import java.util.Optional;

/** Finds the SQLSTATE in the causes of an exception, for callers that must not depend on JDBC. */
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
