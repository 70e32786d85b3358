package svc.operator.project.database;

import java.sql.SQLException;
import java.util.Optional;

/**
 * A database failed. The message is safe for conditions: it names the database, the step and the SQLSTATE, and never contains
 * the server's text, which may contain values. The cause has that text: log it only where admins alone read it.
 */
public final class DatabaseFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    DatabaseFailure(FailureReason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Work on a database. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    /**
     * Runs the work and turns an SQLException into a failure without the server's text.
     *
     * @param databaseName the name of the database in messages
     */
    public static <T> T guarded(String databaseName, Work<T> work) {
        try {
            return work.run();
        } catch (StepRunner.StepFailed e) {
            throw of(databaseName, Optional.of(e.step()), e);
        } catch (SQLException e) {
            throw of(databaseName, Optional.empty(), e);
        }
    }

    /** @param step the failing step, if known */
    static DatabaseFailure of(String databaseName, Optional<String> step, SQLException cause) {
        if (cause instanceof ConnectionFailedException) {
            // One text for every reason, without the SQLSTATE.
            var reason = FailureReason.CONNECTION_FAILED;
            return new DatabaseFailure(reason, "The database " + databaseName + " " + reason.phrase() + ".", cause);
        }
        FailureReason reason = SqlStateReasons.of(cause.getSQLState());
        String state = cause.getSQLState() == null ? "" : " (SQLSTATE " + cause.getSQLState() + ")";
        String at = step.map(name -> " at \"" + name + "\"").orElse("");
        return new DatabaseFailure(
                reason, "The database " + databaseName + " " + reason.phrase() + at + state + ".", cause);
    }

    /** A failure without an SQL error. */
    public static DatabaseFailure of(FailureReason reason, String databaseName, String detail) {
        return new DatabaseFailure(
                reason, "The database " + databaseName + " " + reason.phrase() + ": " + detail + ".", null);
    }

    public FailureReason reason() {
        return reason;
    }

    public boolean retryable() {
        return reason.retryable();
    }
}
