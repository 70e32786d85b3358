package svc.management.postgres;

import java.util.List;
import java.util.Optional;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.StatementResult;

/** Runs the statements on the history of migrations, in the transaction of the session or at once. */
final class MigrationStatements {
    private final HistoryAnswers history;
    private final SessionStatements.Callers callers;
    private final ClientTransaction transaction;
    private final PendingChanges pending;

    MigrationStatements(
            HistoryAnswers history,
            SessionStatements.Callers callers,
            ClientTransaction transaction,
            PendingChanges pending) {
        this.history = history;
        this.callers = callers;
        this.transaction = transaction;
        this.pending = pending;
    }

    /** @throws ProblemException for one that did not run to its end */
    List<StatementResult> run(HistoryStatement asked, SessionStatements.Sent sent) {
        if (asked.changesHistory()) {
            return change(HistoryAnswers.change(asked, sent.parameters()), sent.alone());
        }
        return List.of(history.read(callers.turn(""), asked));
    }

    /** At once, or at the end of the transaction, which is one call whatever the number of its changes. */
    private List<StatementResult> change(HistoryAnswers.Change change, boolean alone) {
        requireWriter();
        if (alone && transaction.none()) {
            return List.of(history.apply(callers.turn(change.text()), change));
        }
        boolean forgets = change.kind() == HistoryStatement.REVERT;
        if (forgets && transaction.touched().isPresent()) {
            throw PendingChanges.notBesideSql();
        }
        pending.add(callers.turn(change.text()), change);
        transaction.opened();
        return List.of(new StatementResult(change.tag(), Optional.empty()));
    }

    private void requireWriter() {
        if (transaction.readOnly()) {
            throw Problem.of(ProblemCode.SQL_ERROR, "cannot change the history of migrations in a read-only session")
                    .with("sqlstate", "25006")
                    .asException();
        }
    }

    /** A migration: its statements, and behind them its row of the history. */
    void migrate(String sql, String version, String name) {
        requireWriter();
        history.migrate(callers.turn(sql), version, name);
    }
}
