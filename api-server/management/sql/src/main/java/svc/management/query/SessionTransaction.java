package svc.management.query;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.management.query.SessionCalls.Beginning;
import svc.management.query.SessionCalls.Text;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.HeldTransaction;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.StatementDescription;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.Verdict;
import svc.sqlgate.mapping.OwnFunctions.Mentions;

/** A transaction of several calls of one caller. Used by one thread; {@link #close} may come from another. */
public final class SessionTransaction implements AutoCloseable {
    /** Texts of one transaction that are run or described. */
    private static final int MAX_TEXTS = 1000;

    private final SessionParts parts;
    private final Beginning beginning;
    private final SavepointNames savepoints = new SavepointNames();
    private final List<Ran> ran = new ArrayList<>();

    /** Functions that its texts have made, of those that are called like an extension's. */
    private final Set<String> made = new HashSet<>();

    private Optional<HeldTransaction> held = Optional.empty();
    private Optional<Ended> last = Optional.empty();
    private int texts;

    SessionTransaction(SessionParts parts, Beginning beginning) {
        this.parts = parts;
        this.beginning = beginning;
    }

    private record Ran(SqlAudit.Open open, int rows) {}

    /** The text that ran last, in whose names the commit speaks. */
    private record Ended(ScriptRun run, Verdict.Admitted admitted) {}

    public boolean readOnly() {
        return beginning.readOnly();
    }

    /** Whether nothing was sent to the database. */
    public boolean untouched() {
        return held.isEmpty();
    }

    /**
     * Runs a call.
     *
     * @throws ProblemException for every call that did not run to its end; the transaction is over then, unless it
     *     {@link #mayReturn}
     */
    public ScriptOutcome.Committed run(AuthorizedCall authorized, Text text) {
        OwnerLogin login = parts.calls().owner(authorized);
        QueryCall query = beginning.query(text, parts.config(), authorized.tenant());
        Verdict.Admitted admitted = parts.calls().admitted(authorized, query, made);
        if (text.single()) {
            parts.calls().requireSingle(authorized, admitted.summary().kinds().size());
        }
        refusal(admitted).ifPresent(problem -> {
            throw parts.calls().ended(authorized.call(), Kind.REFUSED, problem).asException();
        });
        texts++;
        SqlAudit.Open open = parts.calls().begun(authorized.call(), admitted);
        CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
        ScriptRun run = query.run(admitted, authorized.tenant());
        last = Optional.of(new Ended(run, admitted));
        ScriptOutcome outcome = null;
        try {
            if (admitted.authTables()) {
                parts.authPreparation().require(login);
            }
            if (held.isEmpty()) {
                held = Optional.of(parts.sessions()
                        .hold(login, query.mode(), query.time(), beginning.settings(authorized.tenant())));
            }
            outcome = held.get().run(run, authorized.callerGone());
            result = ScriptResults.resultOf(outcome, run.mode());
        } catch (ProblemException refused) {
            result = CallResult.of(Kind.REFUSED, refused.problem().code().wire());
            throw refused;
        } finally {
            if (outcome instanceof ScriptOutcome.Committed) {
                ran.add(new Ran(open, result.rows().orElse(0)));
                made.addAll(Mentions.of(authorized.call().sql()).made());
            } else {
                parts.audit().finish(open, result);
            }
        }
        SqlCallLog.add(parts.log(), authorized.tenant(), authorized.call(), admitted.summary(), outcome);
        return query.answer(ScriptResults.committed(outcome, run, admitted), admitted);
    }

    /**
     * Asks inside of the transaction what a statement takes and returns: its objects are found, and its locks do not
     * block. At least one call has run.
     *
     * @param types of its first parameters; 0 for one that the server infers
     * @throws ProblemException if it cannot be described; the transaction is over then
     */
    public StatementDescription describe(AuthorizedCall authorized, List<Integer> types) {
        HeldTransaction open = held.orElseThrow();
        tooMany().ifPresent(problem -> {
            throw parts.calls().ended(authorized.call(), Kind.REFUSED, problem).asException();
        });
        texts++;
        return parts.descriptions().describe(authorized, types, open, beginning.mode(), made);
    }

    /**
     * Sets a savepoint.
     *
     * @throws ProblemException if it is one too many, or the database does not answer; the transaction is over then
     */
    public void setSavepoint(AuthorizedCall authorized, String name) {
        if (texts++ >= MAX_TEXTS || savepoints.full()) {
            throw SavepointNames.tooMany().asException();
        }
        own(authorized, open -> open.setSavepoint(authorized.callerGone()));
        savepoints.add(name, ran.size());
    }

    /**
     * Forgets a savepoint and those inside of it.
     *
     * @return its number, from 0 for the outermost
     * @throws ProblemException 3B001 for a name that is not set; or if the database does not answer
     */
    public int releaseSavepoint(AuthorizedCall authorized, String name) {
        int number = savepoints.find(name);
        own(authorized, open -> open.releaseSavepoint(number, authorized.callerGone()));
        savepoints.release(number);
        return number;
    }

    /**
     * Undoes what came behind a savepoint.
     *
     * @return its number, from 0 for the outermost
     * @throws ProblemException 3B001 for a name that is not set; or if the database does not answer
     */
    public int returnToSavepoint(AuthorizedCall authorized, String name) {
        int number = savepoints.find(name);
        texts++;
        own(authorized, open -> open.returnToSavepoint(number, authorized.callerGone()));
        List<Ran> undone = ran.subList(savepoints.returnTo(number), ran.size());
        undone.forEach(one -> parts.audit().finish(one.open(), CallResult.rolledBack(one.rows())));
        undone.clear();
        return number;
    }

    /** Whether a savepoint is set to which a transaction with an error can return. */
    public boolean mayReturn() {
        return !savepoints.isEmpty() && held.filter(open -> !open.isOver()).isPresent();
    }

    /**
     * Changes settings of the session.
     *
     * @param local whether they end with the transaction
     * @return them as the server writes them
     */
    public Map<String, String> set(AuthorizedCall authorized, Map<String, String> settings, boolean local) {
        texts++;
        List<String> values =
                OwnStatement.row(own(authorized, open -> open.set(settings, local, authorized.callerGone())));
        Map<String, String> accepted = new LinkedHashMap<>();
        int place = 0;
        for (String name : settings.keySet()) {
            accepted.put(name, values.get(place++));
        }
        return accepted;
    }

    private ScriptOutcome.Committed own(AuthorizedCall authorized, Function<HeldTransaction, ScriptOutcome> statement) {
        if (held.isEmpty()) {
            held = Optional.of(parts.sessions()
                    .hold(
                            parts.calls().owner(authorized),
                            beginning.mode(),
                            parts.config().timeout(),
                            beginning.settings(authorized.tenant())));
        }
        return OwnStatement.committed(
                statement.apply(held.get()), parts.config().timeout());
    }

    private Optional<Problem> refusal(Verdict.Admitted admitted) {
        if (admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION) {
            return Optional.of(
                    Problem.of(ProblemCode.SQL_FORBIDDEN_STATEMENT, "The statement cannot run inside a transaction.")
                            .withHint("Send it alone, outside of BEGIN and COMMIT.")
                            .with("sqlstate", "25001"));
        }
        if (admitted.takesRole()) {
            return Optional.of(Problem.of(
                            ProblemCode.SQL_FORBIDDEN_STATEMENT,
                            "A role that is taken in a transaction of several messages would end with its message.")
                    .withHint("Send SET LOCAL ROLE and the statements that run in the role as one message."));
        }
        return tooMany();
    }

    private Optional<Problem> tooMany() {
        return texts < MAX_TEXTS
                ? Optional.empty()
                : Optional.of(Problem.of(
                                ProblemCode.SQL_TOO_LARGE,
                                "The transaction has more than " + MAX_TEXTS + " statements.")
                        .withHint("Send several statements as one message, or several transactions."));
    }

    /**
     * The number of the transaction in its database; empty where nothing was run in it.
     *
     * @throws ProblemException if the database does not answer; the transaction is over then
     */
    public Optional<String> number(AuthorizedCall authorized) {
        if (held.isEmpty()) {
            return Optional.empty();
        }
        ScriptRun run =
                ScriptRun.of(AtomicCalls.TRANSACTION_ID.sql(), parts.config().timeout());
        ScriptOutcome outcome = held.get().run(run, authorized.callerGone());
        return Optional.of(
                AtomicCalls.value(OwnStatement.committed(outcome, parts.config().timeout())));
    }

    /** @throws ProblemException if it could not be committed */
    public void commit(AuthorizedCall authorized) {
        if (held.isEmpty()) {
            return;
        }
        ScriptOutcome outcome = held.get().end(authorized.callerGone());
        boolean committed = outcome instanceof ScriptOutcome.Committed;
        CallResult failure = ScriptResults.resultOf(outcome, Mode.TRANSACTION);
        ran.forEach(one -> parts.audit().finish(one.open(), committed ? CallResult.committed(one.rows()) : failure));
        ran.clear();
        last.ifPresentOrElse(
                text -> ScriptResults.committed(outcome, text.run(), text.admitted()),
                // Savepoints and settings alone.
                () -> OwnStatement.committed(outcome, parts.config().timeout()));
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        held.ifPresent(HeldTransaction::close);
        ran.forEach(one -> parts.audit().finish(one.open(), CallResult.rolledBack(one.rows())));
        ran.clear();
    }
}
