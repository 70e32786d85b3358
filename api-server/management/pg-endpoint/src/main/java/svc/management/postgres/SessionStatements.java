package svc.management.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.database.sql.Identifier;
import svc.management.query.AuthorizedCall;
import svc.management.query.SessionCalls;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.CopyPeer;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.ScriptRun.Results;
import svc.postgres.script.StatementDescription;
import svc.postgres.script.StatementResult;
import svc.sqlgate.ClientStatement;

/** Runs the statements of one session: those about the session itself here, all others in PostgreSQL. Used by one thread. */
final class SessionStatements implements AutoCloseable {
    /** PostgreSQL would let a transaction that has failed go on for none of them. */
    private static final String ABORTED =
            "current transaction is aborted, commands ignored until end of transaction block";

    private static final Set<ClientStatement> COPYING = Set.of(ClientStatement.COPY);
    private static final Set<ClientStatement> PREPARING = Set.of(ClientStatement.PREPARE);

    private final SessionCalls calls;
    private final SqlPreparations preparations;
    private final MigrationStatements migrations;
    private final Callers callers;
    private final PendingChanges pending;
    private final ClientSettings settings;
    private final ClientTransaction transaction;
    private final SettingStatements setting;
    private final HeldCursors cursors;
    private final SessionCommands commands;

    /** Authorizes each statement again, and bounds what the session keeps. */
    interface Callers extends PreparedStatements.Memory {
        /** @throws ProblemException if the caller may not run SQL any more */
        AuthorizedCall of(String sql);

        /**
         * The same for a statement that reaches the database: waits for its turn, and for a place among the statements that
         * run, which is left when their answer is sent.
         *
         * @throws ProblemException if there is none, or the caller may not run SQL any more
         */
        AuthorizedCall turn(String sql);

        /** The client's end of the COPY that runs next. */
        CopyPeer copy();
    }

    SessionStatements(
            SessionCalls calls,
            HistoryAnswers history,
            Callers callers,
            PreparedStatements prepared,
            boolean neverWrites) {
        this.calls = calls;
        this.preparations = new SqlPreparations(prepared, sent -> sent(sent, PREPARING));
        this.callers = callers;
        this.pending = new PendingChanges(history, callers);
        this.settings = new ClientSettings(calls.longest());
        this.transaction = new ClientTransaction(calls, settings, pending, neverWrites);
        this.migrations = new MigrationStatements(history, callers, transaction, pending);
        this.cursors = new HeldCursors(callers);
        this.setting = new SettingStatements(calls, callers, settings, transaction);
        this.commands = new SessionCommands(callers, settings, transaction, setting, cursors);
    }

    /**
     * A statement to run.
     *
     * @param prepared whether it came by the extended protocol: a single one
     * @param alone whether it is a transaction of its own, where no other is open
     * @param formats of its rows, as a Bind message has them
     */
    record Sent(
            String sql,
            List<? extends ScriptParameter> parameters,
            boolean prepared,
            boolean alone,
            List<Integer> formats) {}

    /** I, T or E, as ReadyForQuery has it. */
    char status() {
        return transaction.status();
    }

    /**
     * Takes the settings that a client begins with.
     *
     * @throws ProblemException if the server refuses one
     */
    void begin(List<LocalStatement> wanted) {
        setting.begin(wanted);
        settings.begin();
    }

    /** Parameters of which the client has to know that they have changed. */
    Map<String, String> unreported() {
        return settings.unreported();
    }

    /** @throws ProblemException for one that did not run to its end */
    List<StatementResult> run(Sent sent) {
        try {
            List<String> parts = sent.prepared() ? List.of() : LocalStatement.several(sent.sql(), transaction.begun());
            List<StatementResult> results = new ArrayList<>();
            for (String part : parts.isEmpty() ? List.of(sent.sql()) : parts) {
                results.addAll(one(part, sent));
            }
            return results;
        } catch (RuntimeException e) {
            abort();
            throw e;
        }
    }

    private List<StatementResult> one(String sql, Sent sent) {
        Optional<LocalStatement> local = commands.read(sql, sent.parameters());
        if (local.isPresent() && (endsFailure(local.get()) || !transaction.failed())) {
            return commands.run(local.get());
        }
        if (transaction.failed()) {
            throw Problem.of(ProblemCode.SQL_ERROR, ABORTED)
                    .withHint("Send ROLLBACK, or ROLLBACK TO SAVEPOINT where one is set.")
                    .with("sqlstate", "25P02")
                    .asException();
        }
        Optional<PreparedSql> prepares = PreparedSql.of(sql);
        if (prepares.isPresent()) {
            return preparations.run(prepares.get(), sent);
        }
        return held(sql, sent).orElseGet(() -> sent(sent));
    }

    /** A statement about a cursor that outlives its transaction. */
    private Optional<List<StatementResult>> held(String sql, Sent sent) {
        String bare = LocalStatement.bare(sql);
        Optional<StatementResult> ran = cursors.run(bare);
        if (ran.isPresent() || transaction.begun()) {
            return ran.map(List::of);
        }
        return HeldCursors.declared(bare).map(declared -> {
            cursors.open(declared.name(), rows(declared.query(), sent));
            return SessionCommands.tag("DECLARE CURSOR");
        });
    }

    /**
     * The rows of a cursor's query. Hazard: run by itself it could be any statement, and take effect; PostgreSQL takes only
     * a query for a cursor.
     */
    private ResultRows rows(String query, Sent sent) {
        boolean alone = transaction.none() && sent.alone();
        sent(new Sent("DECLARE held NO SCROLL CURSOR FOR " + query, sent.parameters(), true, false, List.of()));
        List<StatementResult> fetched = sent(new Sent("FETCH ALL FROM held", List.of(), true, false, List.of()));
        sent(new Sent("CLOSE held", List.of(), true, false, List.of()));
        if (alone) {
            commands.commit();
        }
        return fetched.getFirst().rows().orElseThrow();
    }

    /**
     * The columns of a cursor that was declared by SQL.
     *
     * @throws ProblemException for a name that no cursor has
     */
    List<ResultRows.Column> describeCursor(String name) {
        Optional<List<ResultRows.Column>> held = cursors.columns(name);
        if (held.isPresent()) {
            return held.get();
        }
        if (transaction.failed() || transaction.touched().isEmpty() || !Identifier.fits(name)) {
            throw Problem.of(ProblemCode.SQL_ERROR, "portal \"" + name + "\" does not exist")
                    .withHint("Bind it again.")
                    .with("sqlstate", "34000")
                    .asException();
        }
        String fetch = "FETCH 0 FROM " + Identifier.of(name).sql();
        return run(new Sent(fetch, List.of(), false, true, List.of()))
                .getFirst()
                .rows()
                .map(ResultRows::columns)
                .orElse(List.of());
    }

    private static boolean endsFailure(LocalStatement local) {
        return local instanceof LocalStatement.Commit
                || local instanceof LocalStatement.Rollback
                || local instanceof LocalStatement.ReturnTo;
    }

    private List<StatementResult> sent(Sent sent) {
        return sent(sent, LocalStatement.copies(sent.sql()) ? COPYING : Set.of());
    }

    /** @param open what is open to this text beside the statements of every script */
    private List<StatementResult> sent(Sent sent, Set<ClientStatement> open) {
        Optional<HistoryStatement> asked = HistoryStatement.of(sent.sql());
        if (asked.isPresent()) {
            return migrations.run(asked.get(), sent);
        }
        HistoryStatement.refusal(sent.sql()).ifPresent(problem -> {
            throw problem.asException();
        });
        pending.requireNothingForgotten();
        AuthorizedCall authorized = callers.turn(sent.sql());
        var text = new SessionCalls.Text(
                List.copyOf(sent.parameters()),
                sent.prepared(),
                sent.prepared() ? Results.LAST : Results.ALL,
                sent.formats(),
                open,
                open.contains(ClientStatement.COPY) ? Optional.of(callers.copy()) : Optional.empty());
        return transaction.none() && sent.alone()
                ? calls.run(authorized, text, transaction.beginning()).statements()
                : transaction.opened().run(authorized, text).statements();
    }

    /** @throws ProblemException for one that cannot be described */
    StatementDescription describe(String sql, List<Integer> types) {
        Optional<HistoryStatement> asked = HistoryStatement.of(sql);
        if (asked.isPresent()) {
            return new StatementDescription(asked.get().parameterTypes(), HistoryAnswers.columns(asked.get()));
        }
        if (LocalStatement.copies(sql)) {
            // It takes no values, and its rows are none of a result.
            return new StatementDescription(List.of(), Optional.empty());
        }
        Optional<PreparedSql> prepares = PreparedSql.of(sql);
        if (prepares.isPresent()) {
            return new StatementDescription(
                    List.of(),
                    preparations
                            .executed(prepares.get())
                            .flatMap(one -> describe(one.sql, one.types).columns()));
        }
        // Values decide nothing but whether there are any.
        Optional<LocalStatement> local = LocalStatement.of(sql, List.of("", ""), transaction.begun());
        if (local.isPresent()) {
            return new StatementDescription(
                    sql.contains("$2")
                            ? List.of(SessionCommands.TEXT, SessionCommands.TEXT)
                            : sql.contains("$1") ? List.of(SessionCommands.TEXT) : List.of(),
                    SessionCommands.columns(local.get()));
        }
        if (transaction.failed()) {
            throw Problem.of(ProblemCode.SQL_ERROR, ABORTED)
                    .withHint("Send ROLLBACK.")
                    .with("sqlstate", "25P02")
                    .asException();
        }
        Optional<List<ResultRows.Column>> fetched = cursors.fetched(LocalStatement.bare(sql));
        if (fetched.isPresent()) {
            return new StatementDescription(List.of(), fetched);
        }
        AuthorizedCall authorized = callers.turn(sql);
        return transaction.touched().isPresent()
                ? transaction.touched().get().describe(authorized, types)
                : calls.describe(authorized, types, transaction.beginning());
    }

    /** A migration: its statements, and behind them its row of the history. */
    void migrate(String sql, String version, String name) {
        migrations.migrate(sql, version, name);
    }

    /** The end of a batch: its own transaction is committed. */
    void sync() {
        if (!transaction.begun() && !transaction.none()) {
            commands.commit();
        }
    }

    /** After an error; a transaction that the client has begun waits for its end. */
    void abort() {
        transaction.abort();
    }

    @Override
    public void close() {
        cursors.closeAll();
        transaction.end();
    }
}
