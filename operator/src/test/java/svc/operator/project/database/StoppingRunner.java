package svc.operator.project.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import svc.database.project.SqlBlock;
import svc.database.project.SqlStep;

/** Runs the first steps one by one and then stops, as if the operator had been killed there. */
final class StoppingRunner implements StepRunner {
    /** What is left of the steps that ran. */
    enum Left {
        ROLLED_BACK,
        /** Cannot happen with the operator's one transaction; recovery must not depend on that. */
        COMMITTED
    }

    /** The stop itself. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final int after;
    private final Left left;

    StoppingRunner(int after, Left left) {
        this.after = after;
        this.left = left;
    }

    @Override
    public void run(Connection connection, List<SqlStep> steps) throws SQLException {
        for (SqlStep step : steps.subList(0, Math.min(after, steps.size()))) {
            try (var statement = connection.createStatement()) {
                statement.execute(SqlBlock.of(List.of(step)).sql().sql());
            }
        }
        if (after < steps.size()) {
            if (left == Left.COMMITTED) {
                connection.commit();
            }
            throw new Stopped();
        }
    }
}
