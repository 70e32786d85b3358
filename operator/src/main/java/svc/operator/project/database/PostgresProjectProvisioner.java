package svc.operator.project.database;

import static svc.operator.project.database.DatabaseFailure.guarded;

import java.sql.SQLException;
import java.util.ArrayList;
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
import svc.database.project.Quarantine;
import svc.database.project.SqlStep;
import svc.database.project.companion.Companion;
import svc.database.project.companion.CompanionSchema;
import svc.operator.project.database.ProvisionResult.Change;

/**
 * Projects in PostgreSQL: claim, observe, plan, apply. The claim is a transaction of its own on the platform's database; the
 * rest is one transaction on the project's, under the project's advisory lock.
 */
public final class PostgresProjectProvisioner implements ProjectProvisioner {
    private static final String COMING_BACK =
            "Its data is kept. To open its logins again, mend the cause, then pause and"
                    + " restore the project: set spec.suspend to true, wait for the condition Suspended, and set it to false";

    /** The name of the platform's own database in messages. */
    private static final String PLATFORM = "of the platform";

    private final ProjectRegistry registry;
    private final DatabaseDirectory databases;
    private final MasterKeys keys;
    private final ProjectLogins logins;
    private final Function<Set<CompanionSchema>, Companion> companions;
    private final StepRunner runner;
    private final Provisioner provisioner;
    private final ConvergedStateCache convergedStates = new ConvergedStateCache();

    public PostgresProjectProvisioner(ProjectRegistry registry, DatabaseDirectory databases, MasterKeys keys) {
        this(registry, databases, keys, Companion::using, new BatchStepRunner());
    }

    /** With superuser connections. */
    public PostgresProjectProvisioner(
            ProjectRegistry registry,
            DatabaseDirectory databases,
            MasterKeys keys,
            Function<Set<CompanionSchema>, Companion> companions,
            StepRunner runner) {
        this(registry, databases, keys, companions, runner, Provisioner.SUPERUSER);
    }

    /**
     * @param companions the companion of a project that uses these services
     * @param runner sends steps to the server; a test can stop between them
     * @param provisioner the privileges of the connections
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
        ClaimRequest claimRequest = new ClaimRequest(
                request.projectId(),
                request.ref(),
                request.holder(),
                request.placement(),
                keys.newest().version());
        return switch (guarded(PLATFORM, () -> registry.claim(claimRequest))) {
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
        Optional<String> fingerprint = convergedStates.fingerprint(project, request);
        if (fingerprint.isPresent() && isUnchanged(fingerprint.get(), project, query)) {
            return ProjectPlan.NOTHING;
        }
        try (ProjectTransaction transaction = ProjectTransaction.begin(database(project), project.names())) {
            boolean untouched = project.companionVersion() == 0 && !transaction.findsTraces();
            Observation observed = untouched ? Observation.NOTHING : transaction.observe(query);
            ProjectPlan plan = ProjectPlan.of(desired(project, request, companion), observed.facts());
            refuseIrreparable(plan.irreparable(), project);
            List<SqlStep> leaving = untouched || plan.isEmpty() ? List.of() : leaving(transaction, project, request);
            if (plan.isEmpty()) {
                convergedStates.remember(project, request, observed.fingerprint());
            } else {
                List<SqlStep> steps = new ArrayList<>(leaving);
                steps.addAll(plan.steps());
                transaction.run(runner, steps);
                transaction.commit();
            }
            return plan;
        }
    }

    /**
     * The step with which a suspended project leaves quarantine. Asked only when something differs from the layout, as closed
     * logins do.
     *
     * @throws DatabaseFailure for a project in quarantine that is not suspended: its logins stay closed
     */
    private static List<SqlStep> leaving(
            ProjectTransaction transaction, ProjectRecord project, ProvisionRequest request) throws SQLException {
        Optional<String> quarantine = transaction.quarantine();
        if (quarantine.isPresent() && !request.suspended()) {
            throw DatabaseFailure.of(
                    FailureReason.QUARANTINED, project.databaseName(), quarantine.get() + " " + COMING_BACK);
        }
        return quarantine.isPresent() ? List.of(Quarantine.leave(project.names())) : List.of();
    }

    private boolean isUnchanged(String fingerprint, ProjectRecord project, ObservationQuery query) throws SQLException {
        return ProjectTransaction.observeUnlocked(database(project), query.unless(fingerprint))
                .fingerprint()
                .equals(fingerprint);
    }

    private ProjectLayout desired(ProjectRecord project, ProvisionRequest request, Companion companion) {
        Map<DatabaseRole, String> verifiers = logins.verifiers(project, request.loginKeyVersion())
                .orElseThrow(() -> DatabaseFailure.of(
                        FailureReason.MASTER_KEY_MISSING,
                        PLATFORM,
                        "configure version " + project.masterKeyVersion() + " of the master key again"));
        return ProjectLayout.desired(
                new ProjectTarget(project.names(), verifiers, request.limits(), companion, provisioner));
    }

    private static void refuseIrreparable(List<Fact> irreparable, ProjectRecord project) {
        if (!irreparable.isEmpty()) {
            List<String> expected = irreparable.stream().map(Fact::toString).toList();
            throw DatabaseFailure.of(
                    FailureReason.COMPANION_ALTERED,
                    project.databaseName(),
                    "project " + project.ref() + " needs " + String.join("; ", expected)
                            + "; restore it manually, because the operator must not decide what happens to its rows");
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
        convergedStates.forget(projectId);
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
        convergedStates.forget(projectId);
        held.ifPresent(project -> {
            closeLogins(project);
            runAlone(project, ProjectRemoval.delete(project.names()));
            // Last: the row must name the holder while anything of the project is left.
            guarded(PLATFORM, () -> {
                registry.burn(projectId, holder);
                return null;
            });
        });
        return held.isPresent() ? RemoveResult.REMOVED : RemoveResult.NOTHING_HELD;
    }

    /** Commits the closed logins before it terminates sessions, so that no new session can start in between. */
    private void closeLogins(ProjectRecord project) {
        ProjectNames names = project.names();
        runAlone(project, ProjectRemoval.retain(names));
        runAlone(project, List.of(ProjectRemoval.terminate(names)));
    }

    private void runAlone(ProjectRecord project, List<SqlStep> steps) {
        guarded(project.databaseName(), () -> {
            try (ProjectTransaction transaction = ProjectTransaction.begin(database(project), project.names())) {
                transaction.lockForRemoval();
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
                        FailureReason.DATABASE_MISSING,
                        project.databaseName(),
                        "configure it again under svc.databases"));
    }
}
