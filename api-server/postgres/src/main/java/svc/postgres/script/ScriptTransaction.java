package svc.postgres.script;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ScriptRun.Results;

/** One run in one session: the statements before the script, the script, the statements after it. */
final class ScriptTransaction {
    private final OwnerSession session;
    private final ScriptClock clock;
    private final RunLimits limits;
    private final ScriptRun run;
    private final TransactionListener listener;
    private final EnclosingTransaction transaction;
    private boolean ending;

    ScriptTransaction(
            OwnerSession session, ScriptClock clock, RunLimits limits, ScriptRun run, TransactionListener listener) {
        this.session = session;
        this.clock = clock;
        this.limits = limits;
        this.run = run;
        this.listener = listener;
        this.transaction = new EnclosingTransaction(session);
    }

    /** Runs the script; an error that the clock caused is reported as a timeout or as the caller's leaving. */
    ScriptOutcome run() throws IOException {
        return outcome(() -> run.mode() == Mode.OUTSIDE_TRANSACTION ? alone() : inTransaction());
    }

    @FunctionalInterface
    private interface Work {
        ScriptOutcome run() throws IOException, InternalQuery.RefusedException;
    }

    private ScriptOutcome outcome(Work work) throws IOException {
        try {
            ScriptOutcome outcome = work.run();
            return outcome instanceof ScriptOutcome.Failed || outcome instanceof ScriptOutcome.Unreachable
                    ? clock.stopped().map(ScriptClock.Reason::outcome).orElse(outcome)
                    : outcome;
        } catch (InternalQuery.RefusedException e) {
            return clock.stopped().map(ScriptClock.Reason::outcome).orElseGet(() -> failed(e.error()));
        } catch (IOException e) {
            // Once COMMIT was sent, its outcome is unknown.
            if (clock.stopped().isPresent() && !ending) {
                return clock.stopped().get().outcome();
            }
            throw e;
        }
    }

    /** An error of no place in the text. */
    private static ScriptOutcome failed(ServerError error) {
        return error.outcome(Optional.empty());
    }

    private ScriptOutcome inTransaction() throws IOException, InternalQuery.RefusedException {
        transaction.begin(run);
        if (!listener.equals(TransactionListener.NONE)) {
            listener.begun(transaction.id());
        }
        var rows = new RowCollector(limits, run.results());
        Optional<ScriptOutcome> stopped = script(rows);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        String role = transaction.leaveRole();
        if (!transaction.isOpen()) {
            return new ScriptOutcome.LeftTransaction();
        }
        Map<Integer, CatalogType> types = TypeCatalog.of(session, rows.statements());
        if (clock.stopped().isPresent()) {
            return clock.stopped().get().outcome();
        }
        Optional<ScriptOutcome> fault = end(role);
        return fault.orElseGet(() -> new ScriptOutcome.Committed(rows.statements(), types));
    }

    /** @return an outcome when the run ends with it */
    private Optional<ScriptOutcome> script(RowCollector rows) throws IOException, InternalQuery.RefusedException {
        if (run.caller().isPresent()) {
            InternalQuery.ask(session, run.caller().get().taking());
        }
        ScriptSender.Sent sent = new ScriptSender(session, run).send(rows);
        if (sent.outcome().isPresent()) {
            return sent.outcome();
        }
        if (!sent.inTransaction()) {
            return Optional.of(new ScriptOutcome.LeftTransaction());
        }
        return session.settings().writesUtf8() && !rows.unreadable()
                ? Optional.empty()
                : Optional.of(new ScriptOutcome.Unreadable());
    }

    /**
     * Runs the script in a transaction that stays open for others.
     *
     * @param open the name of the transaction; empty for the first script, which begins it
     */
    ScriptOutcome keepOpen(Optional<String> open) throws IOException {
        transaction.resume(open);
        return outcome(this::keptOpen);
    }

    private ScriptOutcome keptOpen() throws IOException, InternalQuery.RefusedException {
        if (transaction.name().isEmpty()) {
            transaction.begin(run);
        }
        var rows = new RowCollector(limits, run.results());
        Optional<ScriptOutcome> stopped = script(rows);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        transaction.leaveRole();
        if (!transaction.isOpen()) {
            return new ScriptOutcome.LeftTransaction();
        }
        // Code of the project may have changed how the server reads a text, and the next one is judged by itself.
        return session.settings().readsAsJudged()
                ? new ScriptOutcome.Committed(rows.statements(), TypeCatalog.of(session, rows.statements()))
                : new ScriptOutcome.Unreadable();
    }

    /**
     * Runs a statement of the platform's own in a transaction that stays open for scripts.
     *
     * @param open the name of the transaction; empty to begin it
     */
    ScriptOutcome keepOpen(Optional<String> open, SqlFragment own) throws IOException {
        transaction.resume(open);
        return outcome(() -> {
            if (transaction.name().isEmpty()) {
                transaction.begin(run);
            }
            var rows = new RowCollector(limits, Results.LAST);
            OwnerSession.Reply reply = session.query(own.sql(), rows);
            if (reply.error().isPresent()) {
                return failed(reply.error().get());
            }
            if (!transaction.isOpen()) {
                return new ScriptOutcome.LeftTransaction();
            }
            return session.settings().readsAsJudged()
                    ? new ScriptOutcome.Committed(rows.statements(), Map.of())
                    : new ScriptOutcome.Unreadable();
        });
    }

    /** The name of the transaction that is open. */
    Optional<String> openTransaction() {
        return transaction.name();
    }

    /** Ends a transaction that was kept open, as the mode of this run says. */
    ScriptOutcome endKept(String open) throws IOException {
        transaction.resume(Optional.of(open));
        return outcome(() -> {
            if (!transaction.isOpen()) {
                return new ScriptOutcome.LeftTransaction();
            }
            // A cancellation that reached the session between two statements has stopped nothing.
            Optional<ScriptOutcome> stopped = clock.stopped().map(ScriptClock.Reason::outcome);
            return stopped.isPresent() ? stopped.get() : end();
        });
    }

    /** Asks what a statement takes and returns, in a transaction that is rolled back. */
    ScriptOutcome describe(List<Integer> types, Consumer<StatementDescription> found) throws IOException {
        return outcome(() -> {
            transaction.begin(run);
            Optional<ScriptOutcome> stopped = described(types, found);
            return stopped.isPresent() ? stopped.get() : end();
        });
    }

    /** The same in a transaction that was kept open, whose own objects and locks a statement may need. */
    ScriptOutcome describeKept(String open, List<Integer> types, Consumer<StatementDescription> found)
            throws IOException {
        transaction.resume(Optional.of(open));
        return outcome(() -> {
            Optional<ScriptOutcome> stopped = described(types, found);
            if (stopped.isPresent()) {
                return stopped.get();
            }
            return transaction.isOpen()
                    ? new ScriptOutcome.Committed(List.of(), Map.of())
                    : new ScriptOutcome.LeftTransaction();
        });
    }

    /** @return an outcome when the statement cannot be described */
    private Optional<ScriptOutcome> described(List<Integer> types, Consumer<StatementDescription> found)
            throws IOException {
        OwnerSession.Description description = session.describe(run.sql(), types);
        if (description.error().isPresent()) {
            return Optional.of(failed(description.error().get()));
        }
        if (!session.settings().readsAsJudged()) {
            // Reading a constant may have run code of the project's.
            return Optional.of(new ScriptOutcome.Unreadable());
        }
        found.accept(new StatementDescription(description.parameterTypes(), description.columns()));
        return Optional.empty();
    }

    /**
     * Runs scripts one behind the other in one transaction that is rolled back: each finds what those before it have made.
     *
     * @return what became of each, up to the first that did not run to its end
     */
    static List<ScriptOutcome> rehearse(OwnerSession session, ScriptClock clock, RunLimits limits, List<ScriptRun> runs)
            throws IOException {
        List<ScriptOutcome> outcomes = new ArrayList<>();
        Optional<String> transaction = Optional.empty();
        for (ScriptRun run : runs) {
            var one = new ScriptTransaction(session, clock, limits, run, TransactionListener.NONE);
            one.transaction.resume(transaction);
            outcomes.add(one.outcome(one::rehearsed));
            if (!(outcomes.getLast() instanceof ScriptOutcome.Committed)) {
                return outcomes;
            }
            transaction = one.openTransaction();
        }
        session.query("ROLLBACK", new RowCollector(limits, Results.LAST));
        return outcomes;
    }

    private ScriptOutcome rehearsed() throws IOException, InternalQuery.RefusedException {
        if (transaction.name().isEmpty()) {
            transaction.beginForSeveral();
        }
        var rows = new RowCollector(limits, run.results());
        Optional<ScriptOutcome> stopped = script(rows);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        transaction.checkConstraints();
        transaction.leaveRole();
        if (!transaction.isOpen()) {
            return new ScriptOutcome.LeftTransaction();
        }
        transaction.prepareNext();
        // Rows of all of them would be too much to keep.
        return new ScriptOutcome.Committed(
                rows.statements().stream()
                        .map(statement -> new StatementResult(statement.tag(), Optional.empty()))
                        .toList(),
                Map.of());
    }

    /** Ends the transaction in the role of the login. */
    private ScriptOutcome end() throws IOException, InternalQuery.RefusedException {
        return end(EnclosingTransaction.NO_ROLE).orElseGet(() -> new ScriptOutcome.Committed(List.of(), Map.of()));
    }

    /**
     * @param role that the script has taken: what waits for the end of the transaction, deferred constraints and triggers,
     *     runs in it
     * @return a fault; empty when the transaction ended as it should
     */
    private Optional<ScriptOutcome> end(String role) throws IOException, InternalQuery.RefusedException {
        transaction.takeRole(role);
        if (run.mode() == Mode.REHEARSAL) {
            transaction.checkConstraints();
        }
        boolean commits = run.mode() == Mode.TRANSACTION;
        ending = commits;
        var tag = new RowCollector(limits, Results.LAST);
        OwnerSession.Reply ended = session.query(commits ? "COMMIT" : "ROLLBACK", tag);
        if (ended.error().isPresent()) {
            // A deferred constraint, or a trigger that waited for the end; of no place in the text.
            return Optional.of(failed(ended.error().get()));
        }
        List<String> tags = tag.statements().stream().map(StatementResult::tag).toList();
        return tags.equals(List.of(commits ? "COMMIT" : "ROLLBACK"))
                ? Optional.empty()
                : Optional.of(new ScriptOutcome.LeftTransaction());
    }

    /**
     * Building an index concurrently waits for transactions of the whole database, those of other projects among them, which
     * may take longer than an owner waits for a lock: only the time of the run limits it.
     */
    private SqlFragment waitingLong() {
        return SqlFragment.of("SET lock_timeout = 0; SET statement_timeout = ")
                .append(Literal.of(run.time().plus(OwnerSessions.SLACK).toMillis()));
    }

    /** PostgreSQL commits a statement that is sent alone by itself, or, of its own kind, piece by piece. */
    private ScriptOutcome alone() throws IOException, InternalQuery.RefusedException {
        InternalQuery.ask(session, waitingLong());
        var rows = new RowCollector(limits, run.results());
        ending = true;
        ScriptSender.Sent sent = new ScriptSender(session, run).send(rows);
        ending = false;
        return sent.outcome()
                .orElseGet(() -> sent.idle()
                        ? new ScriptOutcome.Committed(rows.statements(), Map.of())
                        : new ScriptOutcome.LeftTransaction());
    }
}
