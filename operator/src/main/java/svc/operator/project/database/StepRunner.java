package svc.operator.project.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import svc.database.project.SqlStep;

/**
 * Runs steps inside the caller's transaction. The one of production sends them together; a test can stop after any of them.
 */
@FunctionalInterface
interface StepRunner {
    /** @throws StepFailed where the step is known */
    void run(Connection connection, List<SqlStep> steps) throws SQLException;

    /** An SQL error and the step in which it happened. */
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
