package svc.operator.project.database;

import static svc.operator.project.database.DatabaseFailure.guarded;

import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import svc.database.name.ProjectNames;
import svc.database.project.ProjectRemoval;
import svc.database.project.Quarantine;
import svc.database.project.SqlStep;

/** Closes the logins of projects of shared databases, under the project's advisory lock, and keeps their data. */
public final class PostgresQuarantine {
    private final DatabaseDirectory databases;
    private final StepRunner runner = new BatchStepRunner();

    public PostgresQuarantine(DatabaseDirectory databases) {
        this.databases = databases;
    }

    /**
     * Closes the logins, then ends the sessions: in this order, so that none can come back in between.
     *
     * @param message for the project's owner
     * @return false if they were closed already
     * @throws DatabaseFailure when the database failed; nothing is closed then, or the sessions are not ended yet
     */
    public boolean close(String databaseName, UUID projectId, String message) {
        ProjectNames names = ProjectNames.shared(projectId);
        return guarded(databaseName, () -> {
            try (ProjectTransaction transaction = ProjectTransaction.begin(database(databaseName), names)) {
                transaction.lock();
                if (transaction.quarantine().isPresent()) {
                    return false;
                }
                transaction.run(runner, Quarantine.enter(names, message));
                transaction.commit();
            }
            List<SqlStep> sessions = List.of(ProjectRemoval.terminate(names));
            try (ProjectTransaction transaction = ProjectTransaction.begin(database(databaseName), names)) {
                transaction.lock();
                transaction.run(runner, sessions);
                transaction.commit();
            }
            return true;
        });
    }

    private DataSource database(String name) {
        return databases
                .database(name)
                .orElseThrow(() -> DatabaseFailure.of(
                        FailureReason.DATABASE_MISSING, name, "configure it again under svc.databases"));
    }
}
