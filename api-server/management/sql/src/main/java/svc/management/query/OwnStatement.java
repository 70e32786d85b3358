package svc.management.query;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;

/** The outcome of a statement of the platform's own in a client's transaction. No text of the client is in it. Pure. */
final class OwnStatement {
    private OwnStatement() {}

    /** @throws svc.platform.problem.ProblemException for every outcome but a statement that ran to its end */
    static ScriptOutcome.Committed committed(ScriptOutcome outcome, Duration limit) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> committed;
            case ScriptOutcome.Failed failed -> {
                Problem problem = Problem.of(
                                ProblemCode.SQL_ERROR, failed.error().message())
                        .with("sqlstate", failed.error().sqlState());
                throw failed.error()
                        .hint()
                        .map(problem::withHint)
                        .orElse(problem)
                        .asException();
            }
            case ScriptOutcome.ParameterMismatch mismatch ->
                throw new IllegalStateException("a statement without parameters has " + mismatch.takes());
            case ScriptOutcome.TimedOut timedOut ->
                throw SqlProblems.timedOut(limit, false).asException();
            case ScriptOutcome.CallerLeft left -> throw SqlProblems.callerLeft().asException();
            case ScriptOutcome.LeftTransaction left ->
                throw SqlProblems.leftTransaction().asException();
            case ScriptOutcome.Unreadable unreadable ->
                throw SqlProblems.unreadable().asException();
            case ScriptOutcome.LockedOut lockedOut ->
                throw SqlProblems.lockedOut().asException();
            case ScriptOutcome.Busy busy -> throw SqlProblems.busy(busy.share()).asException();
            case ScriptOutcome.Unreachable unreachable ->
                throw SqlProblems.unreachable(unreachable).asException();
        };
    }

    /** The values of its only row. */
    static List<String> row(ScriptOutcome.Committed outcome) {
        ResultRows rows = outcome.rows().orElseThrow();
        List<String> values = new ArrayList<>();
        for (byte[] value : rows.rows().getFirst()) {
            values.add(new String(value, StandardCharsets.UTF_8));
        }
        return values;
    }
}
