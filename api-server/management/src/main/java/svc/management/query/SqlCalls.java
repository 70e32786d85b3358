package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import svc.database.sql.Literal;
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
 * One call from the count to the answer: counted, judged, audited, run, audited. What is not counted is not judged, what
 * is not admitted is not run, and what is not in the audit is not run either.
 */
@ApplicationScoped
public class SqlCalls {
    private final RateLimit rateLimit;
    private final ScriptGate gate;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final OwnerLogins logins;
    private final QueryConfig config;

    SqlCalls(
            RateLimit rateLimit,
            ScriptGate gate,
            SqlAudit audit,
            OwnerSessions sessions,
            OwnerLogins logins,
            QueryConfig config) {
        this.rateLimit = rateLimit;
        this.gate = gate;
        this.audit = audit;
        this.sessions = sessions;
        this.logins = logins;
        this.config = config;
    }

    /** Counts a call against its project. */
    public RateDecision count(Tenant tenant) {
        return rateLimit.count(tenant.projectId());
    }

    /** Writes a call into the audit whose text nobody has read, and gives the problem back. */
    public Problem ended(SqlCall call, Kind kind, Problem problem) {
        return ended(call, ScriptSummary.NONE, kind, problem);
    }

    /** The same for a caller who may be turned away as often as it likes: the audit counts such calls. */
    public Problem turnedAway(SqlCall call, Kind kind, Problem problem) {
        audit.turnedAway(call, CallResult.of(kind, problem.code().wire()));
        return problem;
    }

    private Problem ended(SqlCall call, ScriptSummary script, Kind kind, Problem problem) {
        audit.note(call, script, CallResult.of(kind, problem.code().wire()));
        return problem;
    }

    /**
     * Runs a script that was counted.
     *
     * @param callerGone completes when nobody waits for the answer any more
     * @throws ProblemException for everything but a commit
     */
    ScriptOutcome.Committed run(Tenant tenant, SqlCall call, QueryCall query, CompletionStage<?> callerGone) {
        return run(tenant, call, query, callerGone, TransactionListener.NONE);
    }

    /**
     * Runs a script that was counted, in the usual time.
     *
     * @param mode what is around it
     * @param witness told of its transaction; may throw a problem, and then nothing of the script was sent
     * @throws ProblemException for everything but a script that came to its end
     */
    public ScriptOutcome.Committed run(
            Tenant tenant, SqlCall call, Mode mode, TransactionListener witness, CompletionStage<?> callerGone) {
        return run(tenant, call, new QueryCall(List.of(), mode, Results.LAST, config.time()), callerGone, witness);
    }

    private ScriptOutcome.Committed run(
            Tenant tenant, SqlCall call, QueryCall query, CompletionStage<?> callerGone, TransactionListener witness) {
        OwnerLogin login = logins.of(tenant)
                .orElseThrow(
                        () -> ended(call, Kind.REFUSED, SqlProblems.noOwner()).asException());
        // The login takes as long as the verdict: it may begin, for nothing else is sent before the audit has its row.
        try (OwnerSessions.Opening opening = sessions.open(login, query.mode() == Mode.READ_ONLY, query.time())) {
            return run(tenant, call, query, callerGone, witness, opening);
        }
    }

    private ScriptOutcome.Committed run(
            Tenant tenant,
            SqlCall call,
            QueryCall query,
            CompletionStage<?> callerGone,
            TransactionListener witness,
            OwnerSessions.Opening opening) {
        Verdict.Admitted admitted = admitted(tenant, call, query);
        SqlAudit.Open open;
        try {
            open = audit.begin(call, admitted.summary());
        } catch (RuntimeException e) {
            throw SqlProblems.auditUnavailable().asException(e);
        }
        CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
        ScriptRun run = query.run(admitted.script().text(), admitted.executionMode());
        ScriptOutcome outcome;
        try {
            outcome = opening.run(run, callerGone, witness);
            result = resultOf(outcome, run.mode());
        } catch (ProblemException refused) {
            // The witness's.
            result = CallResult.of(Kind.REFUSED, refused.problem().code().wire());
            throw refused;
        } finally {
            audit.finish(open, result);
        }
        return committed(outcome, run, admitted).withTags(admitted.tags());
    }

    private Verdict.Admitted admitted(Tenant tenant, SqlCall call, QueryCall query) {
        Verdict.Admitted admitted = switch (judged(tenant, call)) {
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

    private Verdict judged(Tenant tenant, SqlCall call) {
        return tenant.adoption().isPresent()
                ? gate.judgeAdopted(call.sql(), tenant.names())
                : gate.judge(call.sql(), tenant.names());
    }

    /** What became of a transaction of this project's owner, as PostgreSQL says it; empty when it cannot be asked now. */
    public Optional<String> transactionStatus(Tenant tenant, String transactionId) {
        String question =
                "SELECT pg_catalog.pg_xact_status(" + Literal.of(transactionId).sql() + "::pg_catalog.xid8)";
        ScriptRun run = ScriptRun.of(question, config.time()).in(Mode.READ_ONLY);
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
