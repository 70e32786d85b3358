package svc.operator.project.database;

import java.sql.SQLException;
import java.util.Optional;

/**
 * A database could not do it. The message is safe to show to whoever may see the custom resource: it names the database, the
 * step and the SQLSTATE, and never repeats the server's text, which can carry values. The cause has that text: for a log that
 * only operators read, if at all.
 */
public final class DatabaseFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    DatabaseFailure(FailureReason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Something that a database is asked to do. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    /**
     * Does it, and tells of an SQL error in our words.
     *
     * @param databaseName how the database is called in messages
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

    /** @param step what was being done, where that is known */
    static DatabaseFailure of(String databaseName, Optional<String> step, SQLException cause) {
        FailureReason reason = SqlStateReasons.of(cause.getSQLState());
        String state = cause.getSQLState() == null ? "" : " (SQLSTATE " + cause.getSQLState() + ")";
        String at = step.map(name -> " at \"" + name + "\"").orElse("");
        return new DatabaseFailure(
                reason, "The database " + databaseName + " " + reason.phrase() + at + state + ".", cause);
    }

    /** A database that works and still cannot serve. */
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
