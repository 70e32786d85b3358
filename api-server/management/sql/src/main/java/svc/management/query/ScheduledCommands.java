package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import svc.extensions.cron.JobCommands;
import svc.extensions.cron.JobResult;
import svc.management.audit.Actor;
import svc.management.audit.SqlCall;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun.Mode;

/**
 * Runs commands of jobs as calls of the SQL endpoint: by the gate, the audit, the owner's login and the project's share of
 * sessions, with the default timeout. They have a limit per minute of their own, so that jobs leave callers theirs.
 */
@ApplicationScoped
class ScheduledCommands implements JobCommands {
    private static final Logger LOG = Logger.getLogger(ScheduledCommands.class);

    /** Beside the command itself: the gate, waiting for a session, and the audit. */
    private static final Duration AROUND = Duration.ofSeconds(30);

    private final SqlCalls calls;
    private final QueryConfig config;

    ScheduledCommands(SqlCalls calls, QueryConfig config) {
        this.calls = calls;
        this.config = config;
    }

    @Override
    public JobResult run(Tenant tenant, long jobId, String command) {
        // Nothing gives a job up but its timeout.
        var call = new AuthorizedCall(tenant, call(tenant, jobId, command), new CompletableFuture<>());
        try {
            if (!calls.count(tenant, SqlBudget.JOBS).allowed()) {
                return JobResult.failure("ERROR: the project has used its runs of jobs of this minute");
            }
            return JobResult.success(tag(calls.run(call, QueryCall.plain(Mode.TRANSACTION, config))));
        } catch (ProblemException e) {
            return JobResult.failure(message(e.problem()));
        } catch (RuntimeException e) {
            LOG.errorf(e, "while running job %d of %s", jobId, tenant.ref());
            return JobResult.failure("ERROR: the platform could not run the command");
        }
    }

    @Override
    public Duration limit() {
        return config.timeout().plus(AROUND);
    }

    private static SqlCall call(Tenant tenant, long jobId, String command) {
        return new SqlCall(
                tenant.projectId(),
                tenant.ref(),
                tenant.organization(),
                new Actor.ScheduledJob(),
                "job-" + jobId + "-" + UUID.randomUUID(),
                Optional.empty(),
                command,
                Optional.empty());
    }

    /** As pg_cron has it: the rows of a query, the tag of any other command. */
    private static String tag(ScriptOutcome.Committed committed) {
        return committed
                .rows()
                .map(ResultRows::rows)
                .map(rows -> rows.size() == 1 ? "1 row" : rows.size() + " rows")
                .orElseGet(() -> committed.statements().isEmpty()
                        ? ""
                        : committed.statements().getLast().tag());
    }

    private static String message(Problem problem) {
        return "ERROR: " + problem.detail();
    }
}
