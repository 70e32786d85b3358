package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.management.query.audit.CallResult;
import svc.management.query.audit.CallResult.Kind;
import svc.management.query.audit.SqlAudit;
import svc.management.query.audit.SqlCall;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ScriptRun.Results;
import svc.postgres.script.TransactionListener;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.ScriptSummary;
import svc.sqlgate.Verdict;

/**
 * Runs a call: rate limit, gate, audit row, execution, audit result. A call that is not counted is not parsed, one that
 * is not admitted is not run, and one that cannot be audited is not run either.
 */
@ApplicationScoped
public class SqlCalls {
    private static final SqlFragment TRANSACTION_STATUS = SqlFragment.of("SELECT pg_catalog.pg_xact_status(");

    private final RateLimit rateLimit;
    private final SqlQuota quota;
    private final ScriptGate gate;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final OwnerLogins logins;
    private final AuthPreparation authPreparation;
    private final QueryConfig config;

    SqlCalls(
            RateLimit rateLimit,
            SqlQuota quota,
            ScriptGate gate,
            SqlAudit audit,
            OwnerSessions sessions,
            OwnerLogins logins,
            AuthPreparation authPreparation,
            QueryConfig config) {
        this.rateLimit = rateLimit;
        this.quota = quota;
        this.gate = gate;
        this.audit = audit;
        this.sessions = sessions;
        this.logins = logins;
        this.authPreparation = authPreparation;
        this.config = config;
    }

    /** Counts a call against its project's rate limit. */
    public RateDecision count(Tenant tenant) {
        return rateLimit.count(tenant.projectId(), "", quota.perMinute());
    }

    /** Audits a call that ended before its SQL was parsed, and returns the problem. */
    public Problem ended(SqlCall call, Kind kind, Problem problem) {
        return ended(call, ScriptSummary.NONE, kind, problem);
    }

    /** The same for calls without a rate limit: repeated ones share an audit row. */
    public Problem rejected(SqlCall call, Kind kind, Problem problem) {
        audit.rejected(call, CallResult.of(kind, problem.code().wire()));
        return problem;
    }

    private Problem ended(SqlCall call, ScriptSummary script, Kind kind, Problem problem) {
        audit.note(call, script, CallResult.of(kind, problem.code().wire()));
        return problem;
    }

    /**
     * Runs a call that was counted.
     *
     * @throws ProblemException for every outcome but a commit
     */
    ScriptOutcome.Committed run(AuthorizedCall authorized, QueryCall query) {
        return run(new Execution(authorized, query, TransactionListener.NONE));
    }

    /**
     * Runs a call that was counted, within the default timeout.
     *
     * @param mode the transaction around the script
     * @param witness told of the transaction before the script is sent; if it throws a problem, nothing is sent
     * @throws ProblemException for every outcome but a script that ran to its end
     */
    public ScriptOutcome.Committed run(AuthorizedCall authorized, Mode mode, TransactionListener witness) {
        return run(new Execution(authorized, new QueryCall(List.of(), mode, Results.LAST, config.timeout()), witness));
    }

    /** One SQL text on its way to the database: who may run it, how it runs, and what is told of its transaction. */
    private record Execution(AuthorizedCall authorized, QueryCall query, TransactionListener witness) {
        Tenant tenant() {
            return authorized.tenant();
        }

        SqlCall call() {
            return authorized.call();
        }
    }

    private ScriptOutcome.Committed run(Execution execution) {
        OwnerLogin login = logins.of(execution.tenant())
                .orElseThrow(() -> ended(execution.call(), Kind.REFUSED, SqlProblems.noOwner())
                        .asException());
        QueryCall query = execution.query();
        // Opening a session takes as long as the verdict, so both run at once: nothing is sent before the audit row.
        try (OwnerSessions.Opening opening = sessions.open(login, query.mode() == Mode.READ_ONLY, query.time())) {
            return run(execution, login, opening);
        }
    }

    private ScriptOutcome.Committed run(Execution execution, OwnerLogin login, OwnerSessions.Opening opening) {
        Verdict.Admitted admitted = admitted(execution);
        SqlAudit.Open open;
        try {
            open = audit.begin(execution.call(), admitted.summary());
        } catch (RuntimeException e) {
            throw SqlProblems.auditUnavailable().asException(e);
        }
        CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
        ScriptRun run = execution.query().run(admitted.script().text(), admitted.executionMode());
        ScriptOutcome outcome;
        try {
            if (admitted.authTables() && !authPreparation.prepare(login)) {
                throw SqlProblems.authUnprepared().asException();
            }
            outcome = opening.run(run, execution.authorized().callerGone(), execution.witness());
            result = resultOf(outcome, run.mode());
        } catch (ProblemException refused) {
            // Thrown by the witness, or before anything was sent.
            result = CallResult.of(Kind.REFUSED, refused.problem().code().wire());
            throw refused;
        } finally {
            audit.finish(open, result);
        }
        return committed(outcome, run, admitted).withTags(admitted.tags());
    }

    private Verdict.Admitted admitted(Execution execution) {
        SqlCall call = execution.call();
        QueryCall query = execution.query();
        Verdict.Admitted admitted = switch (verdict(execution.tenant(), call)) {
            case Verdict.Admitted ok -> ok;
            case Verdict.Rejected rejected ->
                throw ended(call, rejected.summary(), Kind.REFUSED, SqlProblems.rejected(rejected))
                        .asException();
            case Verdict.Unknown unknown ->
                throw ended(call, Kind.REFUSED, SqlProblems.unknown(unknown)).asException();
        };
        int statements = admitted.summary().kinds().size();
        if (!query.parameters().isEmpty() && statements > 1) {
            throw ended(call, admitted.summary(), Kind.REFUSED, SqlProblems.parametersOfSeveral(statements))
                    .asException();
        }
        if (admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION
                && query.mode() != ScriptRun.Mode.TRANSACTION) {
            throw ended(call, admitted.summary(), Kind.REFUSED, SqlProblems.neverReadOnly())
                    .asException();
        }
        return admitted;
    }

    private static ScriptOutcome.Committed committed(ScriptOutcome outcome, ScriptRun run, Verdict.Admitted admitted) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> committed;
            case ScriptOutcome.Failed failed ->
                throw SqlProblems.failed(failed, admitted).asException();
            case ScriptOutcome.ParameterMismatch mismatch ->
                throw SqlProblems.parameterCount(
                                mismatch.takes(), run.parameters().size())
                        .asException();
            case ScriptOutcome.TimedOut timedOut ->
                throw SqlProblems.timedOut(run.time(), run.mode() == ScriptRun.Mode.OUTSIDE_TRANSACTION)
                        .asException();
            case ScriptOutcome.CallerLeft left -> throw SqlProblems.callerLeft().asException();
            case ScriptOutcome.LeftTransaction left ->
                throw SqlProblems.leftTransaction().asException();
            case ScriptOutcome.Unreadable unreadable ->
                throw SqlProblems.unreadable().asException();
            case ScriptOutcome.LockedOut lockedOut ->
                throw SqlProblems.lockedOut().asException();
            case ScriptOutcome.Busy busy -> throw SqlProblems.busy().asException();
            case ScriptOutcome.Unreachable unreachable ->
                throw SqlProblems.unreachable(unreachable).asException();
        };
    }

    private static CallResult resultOf(ScriptOutcome outcome, Mode mode) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> {
                int rows =
                        committed.rows().map(ResultRows::rows).map(List::size).orElse(0);
                yield mode == Mode.REHEARSAL ? CallResult.rolledBack(rows) : CallResult.committed(rows);
            }
            case ScriptOutcome.Failed failed ->
                CallResult.of(Kind.FAILED, failed.error().sqlState());
            case ScriptOutcome.ParameterMismatch mismatch -> CallResult.of(Kind.REFUSED, "sql_parameters_invalid");
            case ScriptOutcome.TimedOut timedOut -> CallResult.of(Kind.TIMED_OUT, "sql_timeout");
            case ScriptOutcome.CallerLeft left -> CallResult.of(Kind.FAILED, "caller_left");
            case ScriptOutcome.LeftTransaction left -> CallResult.of(Kind.UNKNOWN, "left_transaction");
            case ScriptOutcome.Unreadable unreadable -> CallResult.of(Kind.FAILED, "unreadable");
            case ScriptOutcome.LockedOut lockedOut -> CallResult.of(Kind.REFUSED, "unavailable");
            case ScriptOutcome.Busy busy -> CallResult.of(Kind.REFUSED, "unavailable");
            case ScriptOutcome.Unreachable unreachable -> CallResult.of(Kind.UNKNOWN, "upstream_failed");
        };
    }

    private Verdict verdict(Tenant tenant, SqlCall call) {
        return tenant.adoption().isPresent()
                ? gate.judgeAdopted(call.sql(), tenant.names())
                : gate.judge(call.sql(), tenant.names());
    }

    /** The status of a transaction of this project's owner, from PostgreSQL; empty if it cannot be asked now. */
    public Optional<String> transactionStatus(Tenant tenant, String transactionId) {
        SqlFragment question =
                TRANSACTION_STATUS.append(Literal.of(transactionId)).append("::pg_catalog.xid8)");
        ScriptRun run = ScriptRun.of(question.sql(), config.timeout()).in(Mode.READ_ONLY);
        return logins.of(tenant).map(login -> sessions.run(login, run)).flatMap(SqlCalls::onlyValue);
    }

    private static Optional<String> onlyValue(ScriptOutcome outcome) {
        return outcome instanceof ScriptOutcome.Committed committed
                ? committed
                        .rows()
                        .map(rows -> rows.rows().getFirst()[0])
                        .map(value -> new String(value, StandardCharsets.UTF_8))
                : Optional.empty();
    }
}
