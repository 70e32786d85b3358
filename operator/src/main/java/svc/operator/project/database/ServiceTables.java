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
 * The tables that a project gets when it first uses a service (DESIGN §4: a companion starts lean). Additive DDL under the
 * project's advisory lock; no row of a tenant is read or written.
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
     * Makes what is missing of the service's tables, and records that the project has them: from then on a reconcile repairs
     * them like everything else. The record comes first, so that a crash in between leaves work for the next reconcile.
     *
     * @return the names of the steps taken; empty as well for a project that is gone or only kept
     * @throws DatabaseFailure when the database could not do it; nothing is half done then
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
                                    FailureReason.DATABASE_MISSING, project.databaseName(), "it is not configured")),
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
