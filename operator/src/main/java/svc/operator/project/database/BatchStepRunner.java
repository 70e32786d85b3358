package svc.operator.project.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import svc.database.project.SqlBlock;
import svc.database.project.SqlStep;

/** Sends all steps, about sixty statements, in one round trip. */
public final class BatchStepRunner implements StepRunner {
    @Override
    public void run(Connection connection, List<SqlStep> steps) throws SQLException {
        if (steps.isEmpty()) {
            return;
        }
        SqlBlock block = SqlBlock.of(steps);
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(block.sql().sql());
        } catch (SQLException e) {
            Optional<String> step = errorContext(e).flatMap(block::failingStep);
            throw step.isPresent() ? new StepFailed(step.get(), e) : e;
        }
    }

    private static Optional<String> errorContext(SQLException e) {
        return e instanceof PSQLException postgres
                ? Optional.ofNullable(postgres.getServerErrorMessage()).map(ServerErrorMessage::getWhere)
                : Optional.empty();
    }
}
