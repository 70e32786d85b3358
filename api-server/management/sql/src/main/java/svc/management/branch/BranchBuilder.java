package svc.management.branch;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import svc.crds.project.Project;
import svc.management.audit.SqlCall;
import svc.management.migration.BranchMigrations;
import svc.management.project.BranchProjects;
import svc.management.query.AuthorizedCall;
import svc.management.query.SqlCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.TransactionListener;

/**
 * Brings a branch to its parent's migrations, and writes into its state how that ended: a branch whose migration fails stays, says
 * why, and can be reset, rebased or deleted.
 */
@ApplicationScoped
class BranchBuilder {
    private static final Logger LOG = Logger.getLogger(BranchBuilder.class);
    private static final Duration PROVISIONED_WITHIN = Duration.ofMinutes(2);

    /** Less than the time after which others take the work for interrupted. */
    private static final Duration MIGRATED_WITHIN = Duration.ofMinutes(7);

    private final BranchProjects projects;
    private final BranchMigrations migrations;
    private final BranchObjects objects;
    private final BranchRows rows;
    private final SqlCalls calls;
    private final TenantDirectory tenants;
    private final Clock clock;

    BranchBuilder(
            BranchProjects projects,
            BranchMigrations migrations,
            BranchObjects objects,
            BranchRows rows,
            SqlCalls calls,
            TenantDirectory tenants,
            Clock clock) {
        this.projects = projects;
        this.migrations = migrations;
        this.objects = objects;
        this.rows = rows;
        this.calls = calls;
        this.tenants = tenants;
        this.clock = clock;
    }

    /**
     * What is to be done.
     *
     * @param onParent the authorized call, which the rows of the audit name
     * @param reset whether everything is dropped first
     * @param rows whether the parent's rows are copied after the migrations
     * @param last the last version to apply; empty for all
     * @param seed runs after the migrations
     */
    record Plan(AuthorizedCall onParent, boolean reset, boolean rows, Optional<String> last, Optional<String> seed) {}

    /** Does the work and never throws. */
    void build(Project branch, Plan plan) {
        try {
            Project ready = projects.awaitReady(branch, PROVISIONED_WITHIN)
                    .orElseThrow(() -> Problem.of(
                                    ProblemCode.PROJECT_NOT_READY,
                                    "The project of the branch did not become ready in time.")
                            .asException());
            Tenant tenant = tenants.find(ProjectWatch.refOf(ready))
                    .orElseThrow(() -> Problem.of(
                                    ProblemCode.PROJECT_NOT_READY, "The project of the branch cannot run SQL yet.")
                            .asException());
            write(branch, BranchStatus.RUNNING_MIGRATIONS, "");
            int taken = run(onBranch(tenant, plan.onParent().call()), plan);
            write(branch, BranchStatus.MIGRATIONS_PASSED, taken + " migrations were applied.");
        } catch (ProblemException e) {
            failed(branch, e.problem().detail());
        } catch (RuntimeException e) {
            LOG.errorf(e, "the branch %s", ProjectWatch.refOf(branch));
            failed(branch, "The platform failed while it built the branch.");
        }
    }

    private int run(AuthorizedCall branch, Plan plan) {
        Instant deadline = clock.instant().plus(MIGRATED_WITHIN);
        if (plan.reset()) {
            calls.run(
                    branch.with(objects.drops(branch.tenant())),
                    Mode.TRANSACTION,
                    calls.longest(),
                    TransactionListener.NONE);
            migrations.forget(branch);
        }
        int taken = migrations.replay(plan.onParent().tenant(), branch, plan.last(), deadline);
        if (plan.rows()) {
            rows.copy(plan.onParent().tenant(), branch.tenant());
        }
        plan.seed()
                .ifPresent(seed ->
                        calls.run(branch.with(seed), Mode.TRANSACTION, calls.longest(), TransactionListener.NONE));
        return taken;
    }

    private void failed(Project branch, String why) {
        try {
            write(branch, BranchStatus.MIGRATIONS_FAILED, why);
        } catch (RuntimeException e) {
            // It was deleted meanwhile, or its state is taken for interrupted after a while.
            LOG.debugf(e, "the state of the branch %s could not be written", ProjectWatch.refOf(branch));
        }
    }

    private void write(Project branch, BranchStatus status, String message) {
        projects.edit(
                branch,
                current -> BranchState.of(current, clock.instant())
                        .now(status, message, clock.instant())
                        .writeTo(current));
    }

    /** The same caller's, in the branch. The work goes on when the client has gone. */
    private static AuthorizedCall onBranch(Tenant tenant, SqlCall call) {
        return new AuthorizedCall(
                tenant,
                new SqlCall(
                        tenant.projectId(),
                        tenant.ref(),
                        tenant.organization(),
                        call.actor(),
                        call.requestId(),
                        call.address(),
                        "",
                        Optional.empty()),
                new CompletableFuture<>());
    }
}
