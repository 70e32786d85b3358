package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.audit.SqlCall;
import svc.platform.budget.SharedPlaces.Caller;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemException;
import svc.platform.projectlog.ProjectLog;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.TransactionListener;
import svc.sqlgate.ClientStatement;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.ScriptGate;
import svc.sqlgate.ScriptSummary;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.OwnFunctions;

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
    private final InvalidIndexes indexes;
    private final OwnFunctionReads functions;
    private final QueryConfig config;
    private final ProjectLog log;

    SqlCalls(
            RateLimit rateLimit,
            SqlQuota quota,
            ScriptGate gate,
            SqlAudit audit,
            OwnerSessions sessions,
            OwnerLogins logins,
            AuthPreparation authPreparation,
            InvalidIndexes indexes,
            OwnFunctionReads functions,
            QueryConfig config,
            ProjectLog log) {
        this.rateLimit = rateLimit;
        this.quota = quota;
        this.gate = gate;
        this.audit = audit;
        this.sessions = sessions;
        this.logins = logins;
        this.authPreparation = authPreparation;
        this.indexes = indexes;
        this.functions = functions;
        this.config = config;
        this.log = log;
    }

    /** Counts a call against a rate limit of its project. */
    public RateDecision count(Tenant tenant, SqlBudget budget) {
        return rateLimit.count(tenant.projectId(), budget.subject(), budget.perMinute(quota));
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
        return run(execution(authorized, query, TransactionListener.NONE));
    }

    /**
     * Runs a call that was counted.
     *
     * @param mode the transaction around the script
     * @param longest the default timeout where that is shorter
     * @param witness receives the transaction before the script is sent; if it throws a problem, nothing is sent
     * @throws ProblemException for every outcome but a script that ran to its end
     */
    public ScriptOutcome.Committed run(
            AuthorizedCall authorized, Mode mode, Duration longest, TransactionListener witness) {
        Duration time = config.timeout().compareTo(longest) < 0 ? config.timeout() : longest;
        return run(execution(authorized, QueryCall.plain(mode, time), witness));
    }

    /** The grammar's names of a script's statements; none for one that the gate does not admit, whose run says why. */
    List<String> statementKinds(AuthorizedCall authorized) {
        return verdict(authorized.tenant(), authorized.call(), OwnFunctions.NONE, Set.of())
                        instanceof Verdict.Admitted admitted
                ? admitted.summary().kinds()
                : List.of();
    }

    /** The longest that one call may take. */
    public Duration longest() {
        return config.maxTimeout();
    }

    /** @throws ProblemException if the project has none */
    OwnerLogin owner(AuthorizedCall authorized) {
        return logins.of(authorized.tenant())
                .orElseThrow(() -> ended(authorized.call(), Kind.REFUSED, SqlProblems.noOwner())
                        .asException());
    }

    /** @throws ProblemException if the audit cannot be written; nothing may run then */
    SqlAudit.Open begun(SqlCall call, Verdict.Admitted admitted) {
        try {
            return audit.begin(call, admitted.summary());
        } catch (RuntimeException e) {
            throw SqlProblems.auditUnavailable().asException(e);
        }
    }

    /**
     * One SQL text on its way to the database: who may run it, how it runs, the witness of its transaction, and functions of the
     * project that it may mean.
     */
    private record Execution(
            AuthorizedCall authorized, QueryCall query, TransactionListener witness, OwnFunctions own) {
        Tenant tenant() {
            return authorized.tenant();
        }

        SqlCall call() {
            return authorized.call();
        }
    }

    /** Asks the database for what it needs before a session for the text is opened: nothing is held while it waits. */
    private Execution execution(AuthorizedCall authorized, QueryCall query, TransactionListener witness) {
        Tenant tenant = authorized.tenant();
        boolean mapped = tenant.adoption().isEmpty() && logins.of(tenant).isPresent();
        OwnFunctions own = mapped ? functions.of(tenant, authorized.call().sql()) : OwnFunctions.NONE;
        return new Execution(authorized, query, witness, own);
    }

    private ScriptOutcome.Committed run(Execution execution) {
        OwnerLogin login = owner(execution.authorized());
        QueryCall query = execution.query();
        // Opening a session takes as long as the verdict, so both run at once: nothing is sent before the audit row.
        try (OwnerSessions.Opening opening = sessions.open(
                login,
                query.mode() == Mode.READ_ONLY,
                query.time(),
                query.session().settings())) {
            return run(execution, login, opening);
        }
    }

    private ScriptOutcome.Committed run(Execution execution, OwnerLogin login, OwnerSessions.Opening opening) {
        Verdict.Admitted admitted = admitted(execution);
        SqlAudit.Open open = begun(execution.call(), admitted);
        CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
        ScriptRun run = execution.query().run(admitted, execution.tenant());
        Optional<InvalidIndexes.Build> build = Optional.empty();
        ScriptOutcome outcome;
        try {
            build = indexes.build(login, admitted);
            if (admitted.authTables()) {
                authPreparation.require(login);
            }
            outcome = opening.run(run, execution.authorized().callerGone(), execution.witness());
            result = ScriptResults.resultOf(outcome, run.mode());
        } catch (ProblemException refused) {
            // Thrown by the witness, or before anything was sent.
            result = CallResult.of(Kind.REFUSED, refused.problem().code().wire());
            throw refused;
        } finally {
            audit.finish(open, result);
        }
        SqlCallLog.add(log, execution.tenant(), execution.call(), admitted.summary(), outcome);
        try {
            return execution.query().answer(ScriptResults.committed(outcome, run, admitted), admitted);
        } catch (ProblemException failed) {
            throw build.isPresent() && !(outcome instanceof ScriptOutcome.Busy)
                    ? build.get().failed(failed)
                    : failed;
        }
    }

    /**
     * The verdict on a text that is run with others in one transaction.
     *
     * @param made functions called like an extension's that earlier texts of the transaction made, which no other session sees
     * @throws ProblemException if the gate does not admit it
     */
    Verdict.Admitted admitted(AuthorizedCall authorized, QueryCall query, Set<String> made) {
        Execution execution = execution(authorized, query, TransactionListener.NONE);
        return admitted(new Execution(
                authorized, query, TransactionListener.NONE, execution.own().and(made)));
    }

    /** @throws ProblemException if a text that must be one statement has several */
    void requireSingle(AuthorizedCall authorized, int statements) {
        if (statements > 1) {
            throw ended(authorized.call(), Kind.REFUSED, SqlProblems.severalPrepared(statements))
                    .asException();
        }
    }

    private Verdict.Admitted admitted(Execution execution) {
        SqlCall call = execution.call();
        QueryCall query = execution.query();
        Verdict.Admitted admitted = switch (verdict(
                execution.tenant(), call, execution.own(), query.session().open())) {
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
        boolean recorded =
                query.mode() == Mode.REHEARSAL || !execution.witness().equals(TransactionListener.NONE);
        if (admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION
                && (recorded || query.mode() != Mode.TRANSACTION)) {
            Problem problem = recorded ? SqlProblems.neverRecorded() : SqlProblems.neverReadOnly();
            throw ended(call, admitted.summary(), Kind.REFUSED, problem).asException();
        }
        if (query.caller().isPresent()) {
            refuseOfCallers(admitted).ifPresent(problem -> {
                throw ended(call, admitted.summary(), Kind.REFUSED, problem).asException();
            });
        }
        return admitted;
    }

    /** What a script may not be that runs in the role of a caller. */
    private static Optional<Problem> refuseOfCallers(Verdict.Admitted admitted) {
        if (admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION) {
            return Optional.of(SqlProblems.neverAsCaller());
        }
        return admitted.takesRole() ? Optional.of(SqlProblems.twoRoles()) : Optional.empty();
    }

    private Verdict verdict(Tenant tenant, SqlCall call, OwnFunctions own, Set<ClientStatement> open) {
        var caller = new Caller(tenant.organization(), tenant.ref());
        return tenant.adoption().isPresent()
                ? gate.judgeAdopted(call.sql(), tenant.names(), caller, open)
                : gate.judge(call.sql(), tenant.names(), own, caller, open);
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
