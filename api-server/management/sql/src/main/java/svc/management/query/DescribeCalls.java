package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.platform.problem.ProblemException;
import svc.postgres.script.HeldTransaction;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.StatementDescription;
import svc.sqlgate.Verdict;

/**
 * Asks what a statement takes and returns. It goes the way of a call that runs, through the gate and the audit, because
 * PostgreSQL evaluates constants while it prepares a statement.
 */
@ApplicationScoped
class DescribeCalls {
    private final SqlCalls calls;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final AuthPreparation authPreparation;
    private final QueryConfig config;

    DescribeCalls(
            SqlCalls calls,
            SqlAudit audit,
            OwnerSessions sessions,
            AuthPreparation authPreparation,
            QueryConfig config) {
        this.calls = calls;
        this.audit = audit;
        this.sessions = sessions;
        this.authPreparation = authPreparation;
        this.config = config;
    }

    /**
     * Asks in a read-only transaction of its own. The call was counted.
     *
     * @param types of its first parameters; 0 for one that the server infers
     * @param settings starting values of the session's settings
     */
    StatementDescription describe(AuthorizedCall authorized, List<Integer> types, Map<String, String> settings) {
        OwnerLogin login = calls.owner(authorized);
        QueryCall query = QueryCall.plain(Mode.TRANSACTION, config.timeout());
        try (OwnerSessions.Opening opening = sessions.open(login, true, query.time(), settings)) {
            return described(
                    authorized,
                    login,
                    query,
                    Set.of(),
                    (run, found) -> opening.describe(run.sql(), types, query.time(), authorized.callerGone(), found));
        }
    }

    /**
     * Asks inside of a transaction that is held: its objects are found, and its locks do not block.
     *
     * @param mode of the transaction
     * @param made as for {@link SqlCalls#admitted}
     */
    StatementDescription describe(
            AuthorizedCall authorized, List<Integer> types, HeldTransaction open, Mode mode, Set<String> made) {
        return described(
                authorized,
                calls.owner(authorized),
                QueryCall.plain(mode, config.timeout()),
                made,
                (run, found) -> open.describe(run, types, authorized.callerGone(), found));
    }

    @FunctionalInterface
    private interface Describing {
        ScriptOutcome describe(ScriptRun run, Consumer<StatementDescription> found);
    }

    private StatementDescription described(
            AuthorizedCall authorized, OwnerLogin login, QueryCall query, Set<String> made, Describing describing) {
        Verdict.Admitted admitted = calls.admitted(authorized, query, made);
        calls.requireSingle(authorized, admitted.summary().kinds().size());
        SqlAudit.Open open = calls.begun(authorized.call(), admitted);
        CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
        ScriptRun run = query.run(admitted, authorized.tenant());
        List<StatementDescription> found = new ArrayList<>();
        ScriptOutcome outcome;
        try {
            if (admitted.authTables()) {
                authPreparation.require(login);
            }
            outcome = describing.describe(run, found::add);
            result = ScriptResults.resultOf(outcome, Mode.REHEARSAL);
        } catch (ProblemException refused) {
            result = CallResult.of(Kind.REFUSED, refused.problem().code().wire());
            throw refused;
        } finally {
            audit.finish(open, result);
        }
        ScriptResults.committed(outcome, run, admitted);
        return found.getFirst();
    }
}
