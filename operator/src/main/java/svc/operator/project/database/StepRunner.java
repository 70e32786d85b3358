package svc.operator.project.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import svc.database.project.SqlStep;

/**
 * Runs steps inside the caller's transaction. {@link BatchStepRunner} sends them together; tests stop after any of them.
 */
@FunctionalInterface
public interface StepRunner {
    /** @throws StepFailed when the failing step is known */
    void run(Connection connection, List<SqlStep> steps) throws SQLException;

    /** An SQL error and the step that failed. */
    final class StepFailed extends SQLException {
        private static final long serialVersionUID = 1L;

        private final String step;

        StepFailed(String step, SQLException cause) {
            super(cause.getMessage(), cause.getSQLState(), cause);
            this.step = step;
        }

        String step() {
            return step;
        }
    }
}
