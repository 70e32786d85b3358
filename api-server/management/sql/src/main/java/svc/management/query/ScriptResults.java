package svc.management.query;

import java.util.List;
import svc.management.audit.CallResult;
import svc.management.audit.CallResult.Kind;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;
import svc.sqlgate.Verdict;

/** A script's outcome as the caller's answer and as the audit's result. Pure. */
final class ScriptResults {
    private ScriptResults() {}

    /** @throws svc.platform.problem.ProblemException for every outcome but a script that ran to its end */
    static ScriptOutcome.Committed committed(ScriptOutcome outcome, ScriptRun run, Verdict.Admitted admitted) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> committed;
            case ScriptOutcome.Failed failed ->
                throw SqlProblems.failed(failed, admitted).asException();
            case ScriptOutcome.ParameterMismatch mismatch ->
                throw SqlProblems.parameterCount(
                                mismatch.takes(), run.parameters().size())
                        .asException();
            case ScriptOutcome.TimedOut timedOut ->
                throw SqlProblems.timedOut(run.time(), run.mode() == ScriptRun.Mode.OUTSIDE_TRANSACTION)
                        .asException();
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

    /** For the audit. */
    static CallResult resultOf(ScriptOutcome outcome, Mode mode) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> {
                int rows =
                        committed.rows().map(ResultRows::rows).map(List::size).orElse(0);
                yield mode == Mode.REHEARSAL ? CallResult.rolledBack(rows) : CallResult.committed(rows);
            }
            case ScriptOutcome.Failed failed ->
                CallResult.of(Kind.FAILED, failed.error().sqlState());
            case ScriptOutcome.ParameterMismatch mismatch -> CallResult.of(Kind.REFUSED, "sql_parameters_invalid");
            case ScriptOutcome.TimedOut timedOut -> CallResult.of(Kind.TIMED_OUT, "sql_timeout");
            case ScriptOutcome.CallerLeft left -> CallResult.of(Kind.FAILED, "caller_left");
            case ScriptOutcome.LeftTransaction left -> CallResult.of(Kind.UNKNOWN, "left_transaction");
            case ScriptOutcome.Unreadable unreadable -> CallResult.of(Kind.FAILED, "unreadable");
            case ScriptOutcome.LockedOut lockedOut -> CallResult.of(Kind.REFUSED, "unavailable");
            case ScriptOutcome.Busy busy -> CallResult.of(Kind.REFUSED, "unavailable");
            case ScriptOutcome.Unreachable unreachable -> CallResult.of(Kind.UNKNOWN, "upstream_failed");
        };
    }
}
