package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.management.audit.SqlAudit;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.projectlog.ProjectLog;
import svc.platform.ratelimit.RateDecision;
import svc.postgres.script.HeldTransaction;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ScriptRun.Results;
import svc.postgres.script.StatementDescription;
import svc.sqlgate.ExecutionMode;
import svc.sqlgate.Verdict;

/**
 * The calls of a client that keeps a connection: each goes the way of a call of {@code /database/query}, through the gate,
 * the audit and a login of the project's owner. A transaction of several calls counts as one.
 */
@ApplicationScoped
public class SessionCalls {
    /** Texts of one transaction that are run or described. */
    private static final int MAX_TEXTS = 1000;

    private final SqlCalls calls;
    private final SqlAudit audit;
    private final OwnerSessions sessions;
    private final DescribeCalls descriptions;
    private final AuthPreparation authPreparation;
    private final QueryConfig config;
    private final ProjectLog log;

    SessionCalls(
            SqlCalls calls,
            SqlAudit audit,
            OwnerSessions sessions,
            DescribeCalls descriptions,
            AuthPreparation authPreparation,
            QueryConfig config,
            ProjectLog log) {
        this.calls = calls;
        this.audit = audit;
        this.sessions = sessions;
        this.descriptions = descriptions;
        this.authPreparation = authPreparation;
        this.config = config;
        this.log = log;
    }

    /**
     * Counts a call against its project's rate limit, and waits for its turn where a client on a connection would only try
     * again.
     *
     * @param patience longest wait
     * @throws ProblemException if its turn does not come in time, or its caller has left
     */
    public void count(AuthorizedCall authorized, Duration patience) {
        Instant end = Instant.now().plus(patience);
        while (true) {
            RateDecision decision = calls.count(authorized.tenant(), SqlBudget.QUERIES);
            if (decision.allowed()) {
                return;
            }
            Duration wait = decision.reset().plusMillis(10);
            if (Instant.now().plus(wait).isAfter(end) || !waited(authorized, wait)) {
                throw calls.rejected(
                                authorized.call(), Kind.THROTTLED, SqlProblems.throttled(decision, SqlBudget.QUERIES))
                        .asException();
            }
        }
    }

    private static boolean waited(AuthorizedCall authorized, Duration wait) {
        try {
            authorized.callerGone().toCompletableFuture().get(wait.toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * A text of a call.
     *
     * @param single whether it must be one statement
     */
    public record Text(List<ScriptParameter> parameters, boolean single, Results results) {
        public Text {
            parameters = List.copyOf(parameters);
        }
    }

    /** Runs a call that was counted, in a transaction of its own. */
    public ScriptOutcome.Committed run(AuthorizedCall authorized, Text text, boolean readOnly) {
        if (text.single() && authorized.call().sql().stripTrailing().indexOf(';') >= 0) {
            calls.requireSingle(authorized, calls.statementKinds(authorized).size());
        }
        return calls.run(authorized, query(text, readOnly));
    }

    private QueryCall query(Text text, boolean readOnly) {
        return new QueryCall(
                text.parameters(),
                mode(readOnly),
                text.results(),
                config.timeout(),
                config.maxTimeout(),
                Optional.empty());
    }

    private static Mode mode(boolean readOnly) {
        return readOnly ? Mode.READ_ONLY : Mode.TRANSACTION;
    }

    /**
     * Asks what a statement takes and returns. It was counted.
     *
     * @param types of its first parameters; 0 for one that the server infers
     */
    public StatementDescription describe(AuthorizedCall authorized, List<Integer> types) {
        return descriptions.describe(authorized, types);
    }

    /** Begins a transaction of several calls; nothing is sent to the database before its first. */
    public Transaction begin(boolean readOnly) {
        return new Transaction(readOnly);
    }

    /** A transaction of several calls of one caller. Used by one thread; {@link #close} may come from another. */
    public final class Transaction implements AutoCloseable {
        private final boolean readOnly;
        private final List<Ran> ran = new ArrayList<>();
        private Optional<HeldTransaction> held = Optional.empty();
        private Optional<Ended> last = Optional.empty();
        private int texts;

        private Transaction(boolean readOnly) {
            this.readOnly = readOnly;
        }

        private record Ran(SqlAudit.Open open, int rows) {}

        /** The text that ran last, in whose names the commit speaks. */
        private record Ended(ScriptRun run, Verdict.Admitted admitted) {}

        public boolean readOnly() {
            return readOnly;
        }

        /** Whether the next call is the one that is counted. */
        public boolean untouched() {
            return held.isEmpty();
        }

        /**
         * Runs a call; the first one must have been counted.
         *
         * @throws ProblemException for every call that did not run to its end; the transaction is over then
         */
        public ScriptOutcome.Committed run(AuthorizedCall authorized, Text text) {
            OwnerLogin login = calls.owner(authorized);
            QueryCall query = query(text, readOnly);
            Verdict.Admitted admitted = calls.admitted(authorized, query);
            if (text.single()) {
                calls.requireSingle(authorized, admitted.summary().kinds().size());
            }
            refusal(admitted).ifPresent(problem -> {
                throw calls.ended(authorized.call(), Kind.REFUSED, problem).asException();
            });
            texts++;
            SqlAudit.Open open = calls.begun(authorized.call(), admitted);
            CallResult result = CallResult.of(Kind.UNKNOWN, "internal_error");
            ScriptRun run = query.run(admitted, authorized.tenant());
            last = Optional.of(new Ended(run, admitted));
            ScriptOutcome outcome = null;
            try {
                if (admitted.authTables()) {
                    authPreparation.require(login);
                }
                if (held.isEmpty()) {
                    held = Optional.of(sessions.hold(login, query.mode(), query.time()));
                }
                outcome = held.get().run(run, authorized.callerGone());
                result = ScriptResults.resultOf(outcome, run.mode());
            } catch (ProblemException refused) {
                result = CallResult.of(Kind.REFUSED, refused.problem().code().wire());
                throw refused;
            } finally {
                if (outcome instanceof ScriptOutcome.Committed) {
                    ran.add(new Ran(open, result.rows().orElse(0)));
                } else {
                    audit.finish(open, result);
                }
            }
            SqlCallLog.add(log, authorized.tenant(), authorized.call(), admitted.summary(), outcome);
            return ScriptResults.committed(outcome, run, admitted).withTags(admitted.tags());
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
                throw calls.ended(authorized.call(), Kind.REFUSED, problem).asException();
            });
            texts++;
            return descriptions.describe(authorized, types, open, mode(readOnly));
        }

        private Optional<Problem> refusal(Verdict.Admitted admitted) {
            if (admitted.executionMode() == ExecutionMode.OUTSIDE_TRANSACTION) {
                return Optional.of(Problem.of(
                                ProblemCode.SQL_FORBIDDEN_STATEMENT, "The statement cannot run inside a transaction.")
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
            ScriptRun run = ScriptRun.of(AtomicCalls.TRANSACTION_ID.sql(), config.timeout());
            ScriptOutcome outcome = held.get().run(run, authorized.callerGone());
            return Optional.of(AtomicCalls.value(
                    ScriptResults.committed(outcome, run, last.orElseThrow().admitted())));
        }

        /** @throws ProblemException if it could not be committed */
        public void commit(AuthorizedCall authorized) {
            if (held.isEmpty()) {
                return;
            }
            ScriptOutcome outcome = held.get().end(authorized.callerGone());
            boolean committed = outcome instanceof ScriptOutcome.Committed;
            CallResult failure = ScriptResults.resultOf(outcome, Mode.TRANSACTION);
            ran.forEach(one -> audit.finish(one.open(), committed ? CallResult.committed(one.rows()) : failure));
            ran.clear();
            Ended ending = last.orElseThrow();
            ScriptResults.committed(outcome, ending.run(), ending.admitted());
        }

        /** Rolls back what was not committed. */
        @Override
        public void close() {
            held.ifPresent(HeldTransaction::close);
            ran.forEach(one -> audit.finish(one.open(), CallResult.rolledBack(one.rows())));
            ran.clear();
        }
    }
}
