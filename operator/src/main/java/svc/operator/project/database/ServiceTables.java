package svc.operator.project.database;

import static svc.operator.project.database.DatabaseFailure.guarded;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import svc.database.platform.ProjectRecord;
import svc.database.platform.ProjectRegistry;
import svc.database.project.Fact;
import svc.database.project.ObservationQuery;
import svc.database.project.ProjectLayout;
import svc.database.project.SqlStep;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionSchema;

/**
 * Creates the tables of a service when a project first uses it (DESIGN §4: a companion starts lean). Additive DDL under the
 * project's advisory lock; reads and writes no row of a tenant.
 */
public final class ServiceTables {
    private final ProjectRegistry registry;
    private final DatabaseDirectory databases;
    private final StepRunner runner;

    public ServiceTables(ProjectRegistry registry, DatabaseDirectory databases) {
        this.registry = registry;
        this.databases = databases;
        this.runner = new BatchStepRunner();
    }

    /**
     * Creates the missing tables of a service and records that the project uses it: from then on a reconciliation repairs
     * them. Records first, so that a crash in between leaves the rest to the next reconciliation.
     *
     * @return the names of the executed steps; empty for a project that is deleted or retained
     * @throws DatabaseFailure when the database failed; the transaction is rolled back
     */
    public List<String> complete(UUID projectId, CompanionSchema service) {
        Optional<ProjectRecord> project = guarded("of the platform", () -> registry.uses(projectId, service));
        return project.map(this::complete).orElse(List.of());
    }

    private List<String> complete(ProjectRecord project) {
        Companion companion = Companion.using(project.services());
        return guarded(project.databaseName(), () -> {
            try (ProjectTransaction transaction = ProjectTransaction.begin(
                    databases
                            .database(project.databaseName())
                            .orElseThrow(() -> DatabaseFailure.of(
                                    FailureReason.DATABASE_MISSING,
                                    project.databaseName(),
                                    "configure it again under svc.databases")),
                    project.names())) {
                Set<Fact> observed = transaction
                        .observe(ObservationQuery.of(project.names(), companion))
                        .facts();
                List<SqlStep> steps = ProjectLayout.completing(project.names(), companion, observed);
                if (!steps.isEmpty()) {
                    transaction.run(runner, steps);
                    transaction.commit();
                }
                return steps.stream().map(SqlStep::name).toList();
            }
        });
    }
}
