package svc.api.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import svc.api.db.owner.OwnerSessions;
import svc.api.db.owner.ResultRows;
import svc.api.db.owner.ScriptOutcome;
import svc.api.management.problem.Problem;
import svc.api.management.query.audit.CallResult;
import svc.api.management.query.audit.CallResult.Kind;
import svc.api.management.query.audit.SqlAudit;
import svc.api.management.query.audit.SqlCall;
import svc.api.management.query.gate.ScriptGate;
import svc.api.management.query.gate.Verdict;
import svc.api.management.query.limit.RateDecision;
import svc.api.management.query.limit.SqlRateLimit;
import svc.api.runtime.PurposeRoots;
import svc.api.tenancy.Tenant;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.database.name.DatabaseRole;

/**
 * One call from the count to the answer: counted, judged, audited, run, audited. What is not counted is not judged, what
 * is not admitted is not run, and what is not in the audit is not run either.
 */
@ApplicationScoped
class SqlCalls {
    private final SqlRateLimit rateLimit;
    private final ScriptGate gate;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final PurposeRoots roots;
    private final QueryConfig config;

    SqlCalls(
            SqlRateLimit rateLimit,
            ScriptGate gate,
            SqlAudit audit,
            OwnerSessions sessions,
            PurposeRoots roots,
            QueryConfig config) {
        this.rateLimit = rateLimit;
        this.gate = gate;
        this.audit = audit;
        this.sessions = sessions;
        this.roots = roots;
        this.config = config;
    }

    /** Counts a call against its project. */
    RateDecision count(Tenant tenant) {
        return rateLimit.count(tenant.projectId());
    }

    /** Writes a call into the audit that ends without running anything, and gives the problem back. */
    Problem ended(SqlCall call, Kind kind, Problem problem) {
        audit.note(call, CallResult.of(kind, problem.code().wire()));
        return problem;
    }

    /**
     * Runs a script that was counted.
     *
     * @throws svc.api.management.problem.ProblemException for everything but a commit
     */
    ScriptOutcome.Committed run(Tenant tenant, SqlCall call) {
        Verdict.Admitted admitted = switch (gate.judge(call.sql(), tenant.names())) {
            case Verdict.Admitted ok -> ok;
            case Verdict.Rejected rejected ->
                throw ended(call, Kind.REFUSED, SqlProblems.rejected(rejected)).asException();
            case Verdict.Unknown unknown ->
                throw ended(call, Kind.REFUSED, SqlProblems.unknown(unknown)).asException();
        };
        SqlAudit.Open open;
        try {
            open = audit.begin(call, admitted.kinds());
        } catch (RuntimeException e) {
            throw SqlProblems.auditUnavailable().asException(e);
        }
        CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
        try {
            ScriptOutcome outcome = sessions.run(
                    tenant.database().jdbcUrl(),
                    tenant.names().role(DatabaseRole.OWNER).name(),
                    password(tenant),
                    admitted.script().text());
            result = resultOf(outcome);
            return committed(outcome, admitted);
        } finally {
            audit.finish(open, result);
        }
    }

    private ScriptOutcome.Committed committed(ScriptOutcome outcome, Verdict.Admitted admitted) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> committed;
            case ScriptOutcome.Failed failed ->
                throw SqlProblems.failed(failed.error(), admitted).asException();
            case ScriptOutcome.TimedOut timedOut ->
                throw SqlProblems.timedOut(config.time()).asException();
            case ScriptOutcome.LeftTransaction left ->
                throw SqlProblems.leftTransaction().asException();
            case ScriptOutcome.Busy busy -> throw SqlProblems.busy().asException();
            case ScriptOutcome.Unreachable unreachable ->
                throw SqlProblems.unreachable(unreachable).asException();
        };
    }

    private static CallResult resultOf(ScriptOutcome outcome) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed ->
                CallResult.committed(committed
                        .rows()
                        .map(ResultRows::rows)
                        .map(java.util.List::size)
                        .orElse(0));
            case ScriptOutcome.Failed failed ->
                CallResult.of(Kind.FAILED, failed.error().sqlState());
            case ScriptOutcome.TimedOut timedOut -> CallResult.of(Kind.TIMED_OUT, "sql_timeout");
            case ScriptOutcome.LeftTransaction left -> CallResult.of(Kind.UNKNOWN, "left_transaction");
            case ScriptOutcome.Busy busy -> CallResult.of(Kind.REFUSED, "unavailable");
            case ScriptOutcome.Unreachable unreachable -> CallResult.of(Kind.UNKNOWN, "upstream_failed");
        };
    }

    private String password(Tenant tenant) {
        int version = tenant.keyVersions().getOrDefault(Purpose.OWNER, java.util.Set.of(1)).stream()
                .max(Integer::compare)
                .orElse(1);
        return LoginSecret.of(roots.require(Purpose.OWNER, tenant.masterKeyVersion())
                        .leaf(tenant.scope().withKeyVersion(version)))
                .password();
    }
}
