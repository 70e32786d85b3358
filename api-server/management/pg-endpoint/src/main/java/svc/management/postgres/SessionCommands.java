package svc.management.postgres;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.name.DatabaseRole;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptParameter;
import svc.postgres.script.StatementResult;

/** Runs the statements about the session itself: transactions, savepoints, settings. */
final class SessionCommands {
    /** The number of the type text. */
    static final int TEXT = 25;

    private static final int VOID = 2278;

    private final SessionStatements.Callers callers;
    private final ClientSettings settings;
    private final ClientTransaction transaction;
    private final SettingStatements setting;
    private final HeldCursors cursors;

    SessionCommands(
            SessionStatements.Callers callers,
            ClientSettings settings,
            ClientTransaction transaction,
            SettingStatements setting,
            HeldCursors cursors) {
        this.callers = callers;
        this.settings = settings;
        this.transaction = transaction;
        this.setting = setting;
        this.cursors = cursors;
    }

    /** The statement about the session that a text is; a role of others is PostgreSQL's, if it can be taken at all. */
    Optional<LocalStatement> read(String sql, List<? extends ScriptParameter> parameters) {
        List<String> values = new ArrayList<>();
        if (sql.length() <= LocalStatement.MAX_LENGTH && sql.contains("set_config")) {
            parameters.forEach(value -> values.add(value.text("text").orElse(null)));
        }
        return LocalStatement.of(sql, values, transaction.begun()).flatMap(found -> {
            if (!(found instanceof LocalStatement.Role role) || isOwn(role.name())) {
                return Optional.of(found);
            }
            return transaction.begun()
                    ? Optional.empty()
                    : Optional.of(new LocalStatement.Refused(
                            "The role would end with its message: each message has a session of its own.",
                            "Send SET LOCAL ROLE and the statements that run in the role as one message."));
        });
    }

    private boolean isOwn(String role) {
        return role.equals("none")
                || role.equals(SignIn.OWNER)
                || role.equals(
                        callers.of("").tenant().names().role(DatabaseRole.OWNER).name());
    }

    /** The columns of a row that one answers with. */
    static Optional<List<ResultRows.Column>> columns(LocalStatement local) {
        return switch (local) {
            case LocalStatement.SetConfig call -> Optional.of(List.of(new ResultRows.Column("set_config", TEXT)));
            case LocalStatement.UnlockAll call ->
                Optional.of(List.of(new ResultRows.Column("pg_advisory_unlock_all", VOID)));
            default -> Optional.empty();
        };
    }

    /** @throws ProblemException for one that cannot be done now */
    List<StatementResult> run(LocalStatement local) {
        switch (local) {
            case LocalStatement.Empty empty -> {
                return List.of();
            }
            case LocalStatement.Begin begin -> transaction.begin(begin.modes());
            case LocalStatement.Commit commit -> {
                return tag(commit());
            }
            case LocalStatement.Rollback rollback -> transaction.end();
            case LocalStatement.Savepoint one -> transaction.setSavepoint(callers.turn(""), one.name());
            case LocalStatement.Release one -> transaction.release(callers.turn(""), one.name());
            case LocalStatement.ReturnTo one -> transaction.returnTo(callers.turn(""), one.name());
            case LocalStatement.Modes modes when modes.session() -> transaction.follow(modes.modes());
            case LocalStatement.Modes modes -> transaction.change(modes.modes());
            case LocalStatement.Setting one -> setting.set(one);
            case LocalStatement.SearchPath path -> setting.searchPath(path);
            case LocalStatement.SetConfig call -> {
                run(call.setting());
                return row(columns(call).orElseThrow(), call.value());
            }
            case LocalStatement.UnlockAll call -> {
                return row(columns(call).orElseThrow(), "");
            }
            case LocalStatement.ResetAll all -> {
                settings.resetAll();
                transaction.followNone();
                cursors.closeAll();
            }
            case LocalStatement.Refused refused ->
                throw Problem.of(ProblemCode.SQL_FORBIDDEN_STATEMENT, refused.what())
                        .withHint(refused.hint())
                        .asException();
            case LocalStatement.Accepted accepted when accepted.tag().equals(LocalTags.CLOSE_ALL) -> cursors.closeAll();
            case LocalStatement.Accepted accepted -> {}
            case LocalStatement.Role role -> {}
            case LocalStatement.Deallocate deallocate -> {}
        }
        return tag(LocalTags.of(local));
    }

    static List<StatementResult> tag(String tag) {
        return List.of(new StatementResult(tag, Optional.empty()));
    }

    private static List<StatementResult> row(List<ResultRows.Column> columns, String value) {
        byte[][] row = {value.getBytes(StandardCharsets.UTF_8)};
        return List.of(new StatementResult(
                "SELECT 1", Optional.of(new ResultRows(columns, List.<byte[][]>of(row), false))));
    }

    /** Ends the transaction. @return its tag */
    String commit() {
        return transaction.commit(() -> callers.of("COMMIT"));
    }
}
