package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import svc.database.sql.SqlFragment;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;
import svc.postgres.script.ScriptRun.Mode;

/**
 * Reads of the platform's own in a project's database, with the rights of its owner: what the project's tables say about the
 * project. Neither gated nor audited, because no text of a caller is in them.
 */
@ApplicationScoped
public class OwnerReads {
    private static final Duration TIME = Duration.ofSeconds(5);

    private final OwnerSessions sessions;
    private final OwnerLogins logins;

    OwnerReads(OwnerSessions sessions, OwnerLogins logins) {
        this.sessions = sessions;
        this.logins = logins;
    }

    /**
     * The one value of a statement that returns one row.
     *
     * @throws ProblemException when the database is unreachable, or a policy of the project's fails
     */
    public String value(Tenant tenant, SqlFragment select) {
        OwnerLogin login =
                logins.of(tenant).orElseThrow(() -> SqlProblems.noOwner().asException());
        ScriptRun run = ScriptRun.of(select.sql(), TIME).in(Mode.READ_ONLY);
        return value(sessions.run(login, run));
    }

    private static String value(ScriptOutcome outcome) {
        return switch (outcome) {
            case ScriptOutcome.Committed committed -> only(committed.rows());
            case ScriptOutcome.Failed failed ->
                throw Problem.of(ProblemCode.SQL_ERROR, failed.error().message())
                        .with("sqlstate", failed.error().sqlState())
                        .asException();
            case ScriptOutcome.TimedOut timedOut ->
                throw SqlProblems.timedOut(TIME, false).asException();
            case ScriptOutcome.LockedOut lockedOut ->
                throw SqlProblems.lockedOut().asException();
            case ScriptOutcome.Unreachable unreachable ->
                throw SqlProblems.unreachable(unreachable).asException();
            case ScriptOutcome.Busy busy -> throw SqlProblems.busy().asException();
            case ScriptOutcome.Unreadable unreadable ->
                throw SqlProblems.unreadable().asException();
            case ScriptOutcome.ParameterMismatch mismatch -> throw new IllegalStateException("no parameters were sent");
            case ScriptOutcome.CallerLeft left -> throw new IllegalStateException("no caller was watched");
            case ScriptOutcome.LeftTransaction left -> throw new IllegalStateException("a SELECT left its transaction");
        };
    }

    private static String only(Optional<ResultRows> rows) {
        return rows.filter(found -> !found.cut() && !found.rows().isEmpty())
                .map(found -> new String(found.rows().getFirst()[0], StandardCharsets.UTF_8))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SQL_RESULT_TOO_LARGE, "The answer is larger than one answer may be.")
                        .asException());
    }
}
