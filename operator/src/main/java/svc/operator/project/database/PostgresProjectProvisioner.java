package svc.operator.project.database;

import static svc.operator.project.database.DatabaseFailure.guarded;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import svc.database.key.MasterKeys;
import svc.database.name.DatabaseRole;
import svc.database.name.ProjectNames;
import svc.database.platform.Claim;
import svc.database.platform.ClaimRequest;
import svc.database.platform.Holder;
import svc.database.platform.ProjectRecord;
import svc.database.platform.ProjectRegistry;
import svc.database.project.Fact;
import svc.database.project.Observation;
import svc.database.project.ObservationQuery;
import svc.database.project.ProjectLayout;
import svc.database.project.ProjectPlan;
import svc.database.project.ProjectRemoval;
import svc.database.project.ProjectTarget;
import svc.database.project.Provisioner;
import svc.database.project.SqlStep;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionSchema;
import svc.operator.project.database.ProvisionResult.Change;

/**
 * Projects in PostgreSQL: claim, observe, plan, apply. The claim is a transaction of its own on the platform's database; the
 * rest is one transaction on the project's, under the project's advisory lock.
 */
public final class PostgresProjectProvisioner implements ProjectProvisioner {
    /** How the platform's own database is called in messages. */
    private static final String PLATFORM = "of the platform";

    private final ProjectRegistry registry;
    private final DatabaseDirectory databases;
    private final MasterKeys keys;
    private final ProjectLogins logins;
    private final Function<Set<CompanionSchema>, Companion> companions;
    private final StepRunner runner;
    private final Provisioner provisioner;
    private final ConvergedStateCache settled = new ConvergedStateCache();

    public PostgresProjectProvisioner(ProjectRegistry registry, DatabaseDirectory databases, MasterKeys keys) {
        this(registry, databases, keys, Companion::using, new BatchStepRunner());
    }

    /** As a superuser. */
    public PostgresProjectProvisioner(
            ProjectRegistry registry,
            DatabaseDirectory databases,
            MasterKeys keys,
            Function<Set<CompanionSchema>, Companion> companions,
            StepRunner runner) {
        this(registry, databases, keys, companions, runner, Provisioner.SUPERUSER);
    }

    /**
     * @param companions what a project has that uses these services
     * @param runner how steps reach the server; a test stops between them
     * @param provisioner with which rights the connections come
     */
    public PostgresProjectProvisioner(
            ProjectRegistry registry,
            DatabaseDirectory databases,
            MasterKeys keys,
            Function<Set<CompanionSchema>, Companion> companions,
            StepRunner runner,
            Provisioner provisioner) {
        this.registry = registry;
        this.databases = databases;
        this.keys = keys;
        this.logins = new ProjectLogins(keys);
        this.companions = companions;
        this.runner = runner;
        this.provisioner = provisioner;
    }

    @Override
    public ProvisionResult provision(ProvisionRequest request) {
        ClaimRequest wish = new ClaimRequest(
                request.projectId(),
                request.ref(),
                request.holder(),
                request.placement(),
                keys.newest().version());
        return switch (guarded(PLATFORM, () -> registry.claim(wish))) {
            case Claim.Conflict conflict -> new ProvisionResult.Conflict(conflict.heldBy(), conflict.what());
            case Claim.Held held -> provision(held.project(), request);
        };
    }

    private ProvisionResult provision(ProjectRecord project, ProvisionRequest request) {
        Companion companion = companions.apply(project.services());
        ProjectPlan plan = guarded(project.databaseName(), () -> apply(project, request, companion));
        if (project.companionVersion() < companion.version()) {
            guarded(PLATFORM, () -> {
                registry.provisioned(project.projectId(), companion.version());
                return null;
            });
        }
        return new ProvisionResult.Provisioned(project, change(project, companion, plan), plan.stepNames());
    }

    private ProjectPlan apply(ProjectRecord project, ProvisionRequest request, Companion companion)
            throws SQLException {
        ObservationQuery query = ObservationQuery.of(project.names(), companion, provisioner);
        Optional<String> inOrder = settled.print(project, request);
        if (inOrder.isPresent() && isStill(inOrder.get(), project, query)) {
            return ProjectPlan.NOTHING;
        }
        try (ProjectTransaction transaction = ProjectTransaction.begin(database(project), project.names())) {
            boolean untouched = project.companionVersion() == 0 && !transaction.findsTraces();
            Observation observed = untouched ? Observation.NOTHING : transaction.observe(query);
            ProjectPlan plan = ProjectPlan.of(desired(project, request, companion), observed.facts());
            refuseIrreparable(plan.irreparable(), project);
            if (plan.isEmpty()) {
                settled.remember(project, request, observed.print());
            } else {
                transaction.run(runner, plan.steps());
                transaction.commit();
            }
            return plan;
        }
    }

    private boolean isStill(String print, ProjectRecord project, ObservationQuery query) throws SQLException {
        return ProjectTransaction.glance(database(project), query.unless(print))
                .print()
                .equals(print);
    }

    private ProjectLayout desired(ProjectRecord project, ProvisionRequest request, Companion companion) {
        Map<DatabaseRole, String> verifiers = logins.verifiers(project, request.loginKeyVersion())
                .orElseThrow(() -> DatabaseFailure.of(
                        FailureReason.MASTER_KEY_MISSING,
                        PLATFORM,
                        "version " + project.masterKeyVersion() + " of the master key is needed"));
        return ProjectLayout.desired(
                new ProjectTarget(project.names(), verifiers, request.settings(), companion, provisioner));
    }

    private static void refuseIrreparable(List<Fact> irreparable, ProjectRecord project) {
        if (!irreparable.isEmpty()) {
            List<String> expected = irreparable.stream().map(Fact::toString).toList();
            throw DatabaseFailure.of(
                    FailureReason.COMPANION_ALTERED,
                    project.databaseName(),
                    "expected of project " + project.ref() + " is " + String.join("; ", expected)
                            + "; put it back by hand, for only that can decide what becomes of its rows");
        }
    }

    private static Change change(ProjectRecord project, Companion companion, ProjectPlan plan) {
        if (project.companionVersion() == 0) {
            return Change.CREATED;
        }
        if (plan.isEmpty()) {
            return Change.NONE;
        }
        return project.companionVersion() < companion.version() ? Change.UPGRADED : Change.REPAIRED;
    }

    @Override
    public RemoveResult retain(UUID projectId, Holder holder) {
        Optional<ProjectRecord> held = guarded(PLATFORM, () -> registry.heldBy(projectId, holder));
        settled.forget(projectId);
        held.ifPresent(project -> {
            closeLogins(project);
            guarded(PLATFORM, () -> {
                registry.release(projectId, holder);
                return null;
            });
        });
        return held.isPresent() ? RemoveResult.REMOVED : RemoveResult.NOTHING_HELD;
    }

    @Override
    public RemoveResult delete(UUID projectId, Holder holder) {
        Optional<ProjectRecord> held = guarded(PLATFORM, () -> registry.heldBy(projectId, holder));
        settled.forget(projectId);
        held.ifPresent(project -> {
            closeLogins(project);
            runAlone(project, ProjectRemoval.delete(project.names()));
            // Last: while anything of the project is left, its row must say whose it is.
            guarded(PLATFORM, () -> {
                registry.burn(projectId, holder);
                return null;
            });
        });
        return held.isPresent() ? RemoveResult.REMOVED : RemoveResult.NOTHING_HELD;
    }

    /** The logins are closed and committed before the sessions end, so that no session can come in between. */
    private void closeLogins(ProjectRecord project) {
        ProjectNames names = project.names();
        runAlone(project, ProjectRemoval.retain(names));
        runAlone(project, List.of(ProjectRemoval.terminate(names)));
    }

    private void runAlone(ProjectRecord project, List<SqlStep> steps) {
        guarded(project.databaseName(), () -> {
            try (ProjectTransaction transaction = ProjectTransaction.begin(database(project), project.names())) {
                transaction.lock();
                transaction.run(runner, steps);
                transaction.commit();
                return null;
            }
        });
    }

    private DataSource database(ProjectRecord project) {
        return databases
                .database(project.databaseName())
                .orElseThrow(() -> DatabaseFailure.of(
                        FailureReason.DATABASE_MISSING, project.databaseName(), "it is not configured"));
    }
}
