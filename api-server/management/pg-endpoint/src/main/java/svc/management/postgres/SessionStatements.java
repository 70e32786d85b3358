package svc.management.postgres;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import svc.management.query.AuthorizedCall;
import svc.management.query.SessionCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.ScriptRun.Results;
import svc.postgres.script.StatementDescription;
import svc.postgres.script.StatementResult;

/**
 * Runs the statements of one session and keeps its transaction, as PostgreSQL's protocol has it: one that a client begins, or
 * the one of a batch. Used by one thread.
 */
final class SessionStatements implements AutoCloseable {
    private final SessionCalls calls;
    private final HistoryAnswers history;
    private final Callers callers;
    private final Duration patience;
    private final PendingChanges pending;
    private boolean readOnly;
    private final boolean neverWrites;
    private Optional<SessionCalls.Transaction> transaction = Optional.empty();
    private boolean begun;
    private boolean failed;

    /** Authorizes each statement again, and bounds what the session keeps. */
    interface Callers extends PreparedStatements.Memory {
        /** @throws ProblemException if the caller may not run SQL any more */
        AuthorizedCall of(String sql);

        /**
         * Waits for a place among the statements that run, which is left when their answer is sent.
         *
         * @throws ProblemException if there is none
         */
        void enter();
    }

    SessionStatements(
            SessionCalls calls, HistoryAnswers history, Callers callers, Duration patience, boolean neverWrites) {
        this.calls = calls;
        this.history = history;
        this.callers = callers;
        this.pending = new PendingChanges(history, callers);
        this.patience = patience;
        this.neverWrites = neverWrites;
    }

    /**
     * A statement to run.
     *
     * @param prepared whether it came by the extended protocol: a single one
     * @param alone whether it is a transaction of its own, where no other is open
     * @param counted whether its description was counted already
     */
    record Sent(
            String sql, List<? extends ScriptParameter> parameters, boolean prepared, boolean alone, boolean counted) {}

    /** I, T or E, as ReadyForQuery has it. */
    char status() {
        if (!begun) {
            return 'I';
        }
        return failed ? 'E' : 'T';
    }

    /** @throws ProblemException for one that did not run to its end */
    List<StatementResult> run(Sent sent) {
        Optional<LocalStatement> local = LocalStatement.of(sent.sql(), begun);
        try {
            if (local.isPresent() && (endsTransaction(local.get()) || !failed)) {
                return local(local.get());
            }
            if (failed) {
                throw Problem.of(
                                ProblemCode.SQL_ERROR,
                                "current transaction is aborted, commands ignored until end of transaction block")
                        .withHint("Send ROLLBACK.")
                        .with("sqlstate", "25P02")
                        .asException();
            }
            return sent(sent);
        } catch (RuntimeException e) {
            abort();
            throw e;
        }
    }

    private static boolean endsTransaction(LocalStatement local) {
        return local instanceof LocalStatement.Commit || local instanceof LocalStatement.Rollback;
    }

    private List<StatementResult> sent(Sent sent) {
        Optional<HistoryStatement> asked = HistoryStatement.of(sent.sql());
        if (asked.isPresent()) {
            return history(asked.get(), sent);
        }
        HistoryStatement.refusal(sent.sql()).ifPresent(problem -> {
            throw problem.asException();
        });
        pending.requireNothingForgotten();
        AuthorizedCall authorized = callers.of(sent.sql());
        var text = new SessionCalls.Text(
                List.copyOf(sent.parameters()), sent.prepared(), sent.prepared() ? Results.LAST : Results.ALL);
        if (transaction.isEmpty() && !begun && sent.alone()) {
            if (!sent.counted()) {
                calls.count(authorized, patience);
            }
            callers.enter();
            return calls.run(authorized, text, readOnly()).statements();
        }
        if (transaction.isEmpty()) {
            transaction = Optional.of(calls.begin(readOnly()));
        }
        if (transaction.get().untouched() && !sent.counted()) {
            calls.count(authorized, patience);
        }
        callers.enter();
        return transaction.get().run(authorized, text).statements();
    }

    private boolean readOnly() {
        return readOnly || neverWrites;
    }

    /**
     * @param description what a statement takes and returns; empty for one that is answered here and returns nothing
     * @param counted whether it was counted as a call
     */
    record Described(Optional<StatementDescription> description, boolean counted) {}

    /** @throws ProblemException for one that cannot be described */
    Described describe(String sql, List<Integer> types) {
        Optional<HistoryStatement> asked = HistoryStatement.of(sql);
        if (asked.isPresent()) {
            var description =
                    new StatementDescription(asked.get().parameterTypes(), HistoryAnswers.columns(asked.get()));
            return new Described(Optional.of(description), false);
        }
        if (LocalStatement.of(sql, begun).isPresent()) {
            return new Described(Optional.empty(), false);
        }
        AuthorizedCall authorized = callers.of(sql);
        Optional<SessionCalls.Transaction> held = transaction.filter(open -> !open.untouched());
        if (held.isPresent()) {
            callers.enter();
            return new Described(Optional.of(held.get().describe(authorized, types)), false);
        }
        calls.count(authorized, patience);
        callers.enter();
        return new Described(Optional.of(calls.describe(authorized, types)), true);
    }

    private List<StatementResult> history(HistoryStatement asked, Sent sent) {
        if (asked.changesHistory()) {
            return change(HistoryAnswers.change(asked, sent.parameters()), sent.alone());
        }
        AuthorizedCall authorized = callers.of("");
        if (asked.readsHistory()) {
            calls.count(authorized, patience);
        }
        callers.enter();
        return List.of(history.read(authorized, asked));
    }

    /** At once, or at the end of the transaction, which is one call whatever the number of its changes. */
    private List<StatementResult> change(HistoryAnswers.Change change, boolean alone) {
        requireWriter();
        AuthorizedCall authorized = callers.of(change.text());
        boolean atOnce = alone && !begun && transaction.isEmpty();
        if (atOnce || pending.isEmpty()) {
            calls.count(authorized, patience);
        }
        if (atOnce) {
            callers.enter();
            return List.of(history.apply(authorized, change));
        }
        boolean forgets = change.kind() == HistoryStatement.REVERT;
        if (forgets && transaction.filter(open -> !open.untouched()).isPresent()) {
            throw PendingChanges.notBesideSql();
        }
        pending.add(authorized, change);
        if (transaction.isEmpty()) {
            transaction = Optional.of(calls.begin(readOnly()));
        }
        return tag(change.tag());
    }

    private void requireWriter() {
        if (readOnly() || transaction.filter(SessionCalls.Transaction::readOnly).isPresent()) {
            throw Problem.of(ProblemCode.SQL_ERROR, "cannot change the history of migrations in a read-only session")
                    .with("sqlstate", "25006")
                    .asException();
        }
    }

    /** A migration: its statements, and behind them its row of the history. */
    void migrate(String sql, String version, String name) {
        requireWriter();
        AuthorizedCall authorized = callers.of(sql);
        calls.count(authorized, patience);
        callers.enter();
        history.migrate(authorized, version, name);
    }

    private List<StatementResult> local(LocalStatement local) {
        return switch (local) {
            case LocalStatement.Empty empty -> List.of();
            case LocalStatement.Begin begin -> begin(begin);
            case LocalStatement.Commit commit -> tag(commit());
            case LocalStatement.Rollback rollback -> {
                end();
                yield tag("ROLLBACK");
            }
            case LocalStatement.Accepted accepted -> tag(accepted.tag());
            case LocalStatement.ReadOnly mode -> {
                readOnly = mode.on();
                yield tag("SET");
            }
            case LocalStatement.Deallocate deallocate -> tag("DEALLOCATE");
            case LocalStatement.Refused refused ->
                throw Problem.of(ProblemCode.SQL_FORBIDDEN_STATEMENT, refused.what())
                        .withHint(refused.hint())
                        .asException();
        };
    }

    private static List<StatementResult> tag(String tag) {
        return List.of(new StatementResult(tag, Optional.empty()));
    }

    private List<StatementResult> begin(LocalStatement.Begin begin) {
        boolean reads = begin.readOnly() || readOnly();
        if (transaction.isPresent() && !begun && transaction.get().readOnly() != reads) {
            throw Problem.of(ProblemCode.SQL_FORBIDDEN_STATEMENT, "The batch has begun its transaction already.")
                    .withHint("Send BEGIN as its first statement.")
                    .with("sqlstate", "25001")
                    .asException();
        }
        if (transaction.isEmpty()) {
            transaction = Optional.of(calls.begin(reads));
        }
        begun = true;
        return tag(begin.tag());
    }

    private String commit() {
        boolean commits = !failed;
        try {
            if (commits && transaction.isPresent()) {
                pending.commit(callers.of("COMMIT"), transaction.get());
                transaction = Optional.empty();
            }
            return commits ? "COMMIT" : "ROLLBACK";
        } finally {
            end();
        }
    }

    /** The end of a batch: its own transaction is committed. */
    void sync() {
        if (!begun && transaction.isPresent()) {
            commit();
        }
    }

    /** Rolls back; a transaction that the client has begun waits for its end. */
    void abort() {
        transaction.ifPresent(SessionCalls.Transaction::close);
        transaction = Optional.empty();
        pending.forget();
        failed = begun;
    }

    private void end() {
        transaction.ifPresent(SessionCalls.Transaction::close);
        transaction = Optional.empty();
        pending.forget();
        begun = false;
        failed = false;
    }

    @Override
    public void close() {
        end();
    }
}
