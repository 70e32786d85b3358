package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.postgres.script.ScriptRun.Mode;
import svc.postgres.script.ScriptRun.Results;

/** One run in one session: the statements before the script, the script, the statements after it. */
final class ScriptTransaction {
    /** Begins at another microsecond than any message that follows, so it names the transaction; no script can set it. */
    private static final SqlFragment NAME =
            SqlFragment.of("SELECT EXTRACT(epoch FROM pg_catalog.transaction_timestamp())");

    /** Assigns the transaction its number if it has none yet; a script can change neither. */
    private static final SqlFragment TRANSACTION_ID = SqlFragment.of("SELECT pg_catalog.pg_current_xact_id()");

    private static final SqlFragment BEGIN = SqlFragment.of("BEGIN");
    private static final SqlFragment BEGIN_READ_ONLY = SqlFragment.of("BEGIN READ ONLY");
    /** A starting value of the session would be refused by servers that do not know it: before PostgreSQL 17. */
    private static final SqlTemplate LIMIT = SqlTemplate.of("SET LOCAL transaction_timeout = :'milliseconds'");

    /** Beyond the statement timeout, which tells the better error. */
    private static final Duration SLACK = OwnerSessions.SLACK.multipliedBy(2);

    private static final SqlFragment CHECK_CONSTRAINTS = SqlFragment.of("SET CONSTRAINTS ALL IMMEDIATE");

    /** For the next script of the same transaction, whose constraints are checked at its end as well. */
    private static final SqlFragment DEFER_CONSTRAINTS = SqlFragment.of("SET CONSTRAINTS ALL DEFERRED");

    /** Tells the role that the script has taken, and returns to the login: the platform's own statements run as that. */
    private static final SqlFragment LEAVE_ROLE =
            SqlFragment.of("SELECT pg_catalog.current_setting('role'); SET ROLE NONE");

    private static final SqlTemplate TAKE_ROLE = SqlTemplate.of("SET LOCAL ROLE :\"role\"");
    private static final String NO_ROLE = "none";

    private static final SqlFragment RESET_SETTINGS = SqlFragment.of("RESET ALL");

    /** The names of types by their numbers, in the order of these. */
    private static final SqlTemplate TYPE_NAMES = SqlTemplate.of("""
        SELECT pg_catalog.format_type(t.oid, NULL)
        FROM pg_catalog.unnest(:'oids'::pg_catalog.oid[]) WITH ORDINALITY AS t (oid, place) ORDER BY t.place\
        """);

    private final OwnerSession session;
    private final ScriptClock clock;
    private final RunLimits limits;
    private final ScriptRun run;
    private final TransactionListener listener;

    /** The name of the transaction that is open. */
    private Optional<String> transaction = Optional.empty();

    private boolean ending;

    ScriptTransaction(
            OwnerSession session, ScriptClock clock, RunLimits limits, ScriptRun run, TransactionListener listener) {
        this.session = session;
        this.clock = clock;
        this.limits = limits;
        this.run = run;
        this.listener = listener;
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
                    ? clock.stopped().map(ScriptTransaction::outcomeOf).orElse(outcome)
                    : outcome;
        } catch (InternalQuery.RefusedException e) {
            return clock.stopped().map(ScriptTransaction::outcomeOf).orElseGet(() -> failed(e.error()));
        } catch (IOException e) {
            // Once COMMIT was sent, its outcome is unknown.
            if (clock.stopped().isPresent() && !ending) {
                return outcomeOf(clock.stopped().get());
            }
            throw e;
        }
    }

    private static ScriptOutcome outcomeOf(ScriptClock.Reason reason) {
        return switch (reason) {
            case TIME -> new ScriptOutcome.TimedOut();
            case CALLER_LEFT -> new ScriptOutcome.CallerLeft();
        };
    }

    private static ScriptOutcome failed(ServerError error) {
        return failed(error, Optional.empty());
    }

    private static ScriptOutcome failed(ServerError error, Optional<Integer> statement) {
        return error.ofTheServer()
                ? new ScriptOutcome.Unreachable("the database server ended the session")
                : new ScriptOutcome.Failed(error, statement);
    }

    private void begin() throws IOException, InternalQuery.RefusedException {
        InternalQuery.ask(session, run.mode() == Mode.READ_ONLY ? BEGIN_READ_ONLY : BEGIN);
        if (session.settings().knowsTransactionTimeout()) {
            Literal limit = Literal.of(Long.toString(run.time().plus(SLACK).toMillis()));
            InternalQuery.ask(session, LIMIT.bind(Map.of("milliseconds", limit)));
        }
        // Takes the first snapshot as well: from here on a read-only transaction stays one.
        transaction = Optional.of(name());
    }

    private ScriptOutcome inTransaction() throws IOException, InternalQuery.RefusedException {
        begin();
        if (!listener.equals(TransactionListener.NONE)) {
            listener.begun(one(TRANSACTION_ID));
        }
        var rows = new RowCollector(limits, run.results());
        Optional<ScriptOutcome> stopped = script(rows);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        String role = one(LEAVE_ROLE);
        if (!isThatTransaction()) {
            return new ScriptOutcome.LeftTransaction();
        }
        Map<Integer, CatalogType> types = TypeCatalog.of(session, rows.statements());
        if (clock.stopped().isPresent()) {
            return outcomeOf(clock.stopped().get());
        }
        Optional<ScriptOutcome> fault = end(role);
        return fault.orElseGet(() -> new ScriptOutcome.Committed(rows.statements(), types));
    }

    /** @return an outcome when the run ends with it */
    private Optional<ScriptOutcome> script(RowCollector rows) throws IOException, InternalQuery.RefusedException {
        if (run.caller().isPresent()) {
            InternalQuery.ask(session, run.caller().get().taking());
        }
        Sent sent = send(rows);
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
        transaction = open;
        return outcome(this::keptOpen);
    }

    private ScriptOutcome keptOpen() throws IOException, InternalQuery.RefusedException {
        if (transaction.isEmpty()) {
            begin();
        }
        var rows = new RowCollector(limits, run.results());
        Optional<ScriptOutcome> stopped = script(rows);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        InternalQuery.ask(session, LEAVE_ROLE);
        if (!isThatTransaction()) {
            return new ScriptOutcome.LeftTransaction();
        }
        // Code of the project may have changed how the server reads a text, and the next one is judged by itself.
        return session.settings().readsAsJudged()
                ? new ScriptOutcome.Committed(rows.statements(), TypeCatalog.of(session, rows.statements()))
                : new ScriptOutcome.Unreadable();
    }

    /** The name of the transaction that is open. */
    Optional<String> openTransaction() {
        return transaction;
    }

    /** Ends a transaction that was kept open, as the mode of this run says. */
    ScriptOutcome endKept(String open) throws IOException {
        transaction = Optional.of(open);
        return outcome(() -> isThatTransaction()
                ? end(NO_ROLE).orElseGet(() -> new ScriptOutcome.Committed(List.of(), Map.of()))
                : new ScriptOutcome.LeftTransaction());
    }

    /** Asks what a statement takes and returns, in a transaction that is rolled back. */
    ScriptOutcome describe(List<Integer> types, Consumer<StatementDescription> found) throws IOException {
        return outcome(() -> {
            begin();
            Optional<ScriptOutcome> stopped = described(types, found);
            return stopped.isPresent()
                    ? stopped.get()
                    : end(NO_ROLE).orElseGet(() -> new ScriptOutcome.Committed(List.of(), Map.of()));
        });
    }

    /** The same in a transaction that was kept open, whose own objects and locks a statement may need. */
    ScriptOutcome describeKept(String open, List<Integer> types, Consumer<StatementDescription> found)
            throws IOException {
        transaction = Optional.of(open);
        return outcome(() -> {
            Optional<ScriptOutcome> stopped = described(types, found);
            if (stopped.isPresent()) {
                return stopped.get();
            }
            return isThatTransaction()
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

    private boolean isThatTransaction() throws IOException, InternalQuery.RefusedException {
        return transaction.equals(Optional.of(name()));
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
            one.transaction = transaction;
            outcomes.add(one.outcome(one::rehearsed));
            if (!(outcomes.getLast() instanceof ScriptOutcome.Committed)) {
                return outcomes;
            }
            transaction = one.transaction;
        }
        session.query("ROLLBACK", new RowCollector(limits, Results.LAST));
        return outcomes;
    }

    private ScriptOutcome rehearsed() throws IOException, InternalQuery.RefusedException {
        if (transaction.isEmpty()) {
            InternalQuery.ask(session, BEGIN);
            transaction = Optional.of(name());
        }
        var rows = new RowCollector(limits, run.results());
        Optional<ScriptOutcome> stopped = script(rows);
        if (stopped.isPresent()) {
            return stopped.get();
        }
        InternalQuery.ask(session, CHECK_CONSTRAINTS);
        InternalQuery.ask(session, LEAVE_ROLE);
        if (!isThatTransaction()) {
            return new ScriptOutcome.LeftTransaction();
        }
        InternalQuery.ask(session, DEFER_CONSTRAINTS);
        // As in the session of its own that each of them gets. Rows of all of them would be too much to keep.
        InternalQuery.ask(session, RESET_SETTINGS);
        return new ScriptOutcome.Committed(
                rows.statements().stream()
                        .map(statement -> new StatementResult(statement.tag(), Optional.empty()))
                        .toList(),
                Map.of());
    }

    /**
     * @param role that the script has taken: what waits for the end of the transaction, deferred constraints and triggers,
     *     runs in it
     * @return a fault; empty when the transaction ended as it should
     */
    private Optional<ScriptOutcome> end(String role) throws IOException, InternalQuery.RefusedException {
        if (!role.equals(NO_ROLE)) {
            InternalQuery.ask(session, TAKE_ROLE.bind(Map.of("role", Identifier.of(role))));
        }
        if (run.mode() == Mode.REHEARSAL) {
            InternalQuery.ask(session, CHECK_CONSTRAINTS);
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

    /** PostgreSQL commits a statement that is sent alone by itself, or, of its own kind, piece by piece. */
    private ScriptOutcome alone() throws IOException, InternalQuery.RefusedException {
        var rows = new RowCollector(limits, run.results());
        ending = true;
        Sent sent = send(rows);
        ending = false;
        return sent.outcome()
                .orElseGet(() -> sent.idle()
                        ? new ScriptOutcome.Committed(rows.statements(), Map.of())
                        : new ScriptOutcome.LeftTransaction());
    }

    /** The result of the script's own message: an outcome when the run ends with it. */
    private record Sent(Optional<ScriptOutcome> outcome, boolean inTransaction, boolean idle) {
        static Sent of(OwnerSession.Reply reply, RowCollector rows) {
            // Those before it have all been answered.
            Optional<Integer> next = Optional.of(rows.statements().size() + 1);
            return new Sent(reply.error().map(error -> failed(error, next)), reply.inTransaction(), reply.idle());
        }

        static Sent over(ScriptOutcome outcome) {
            return new Sent(Optional.of(outcome), false, false);
        }
    }

    private Sent send(RowCollector rows) throws IOException, InternalQuery.RefusedException {
        if (run.parameters().isEmpty()) {
            return Sent.of(session.query(run.sql(), rows), rows);
        }
        OwnerSession.Description description = session.describe(run.sql(), declaredTypes());
        if (description.error().isPresent()) {
            return Sent.over(failed(description.error().get()));
        }
        if (!session.settings().readsAsJudged()) {
            // Reading a constant may have run code of the project's, and the statement is now sent once more.
            return Sent.over(new ScriptOutcome.Unreadable());
        }
        OptionalInt other = mismatch(description);
        if (other.isPresent()) {
            return Sent.over(new ScriptOutcome.ParameterMismatch(other.getAsInt()));
        }
        return Sent.of(session.execute(run.sql(), description, values(description.parameterTypes()), rows), rows);
    }

    /** Up to the last that is declared: a type for a parameter that the statement does not have would be an error of its own. */
    private List<Integer> declaredTypes() {
        List<Integer> types = new ArrayList<>(
                run.parameters().stream().map(ScriptParameter::typeOid).toList());
        while (!types.isEmpty() && types.getLast() == 0) {
            types.removeLast();
        }
        return types;
    }

    private OptionalInt mismatch(OwnerSession.Description description) {
        int takes = description.parameterTypes().size();
        return takes == run.parameters().size() ? OptionalInt.empty() : OptionalInt.of(takes);
    }

    private List<Optional<String>> values(List<Integer> types) throws IOException, InternalQuery.RefusedException {
        List<List<String>> names =
                InternalQuery.ask(session, TYPE_NAMES.bind(Map.of("oids", TypeCatalog.array(types))));
        List<Optional<String>> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            values.add(run.parameters().get(i).text(names.get(i).getFirst()));
        }
        return values;
    }

    private String name() throws IOException, InternalQuery.RefusedException {
        return one(NAME);
    }

    private String one(SqlFragment query) throws IOException, InternalQuery.RefusedException {
        List<List<String>> rows = InternalQuery.ask(session, query);
        if (rows.size() != 1) {
            throw new IOException("the server did not return the transaction's name");
        }
        return rows.getFirst().getFirst();
    }
}
