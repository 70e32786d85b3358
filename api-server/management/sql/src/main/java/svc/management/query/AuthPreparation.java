package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import svc.database.sql.SqlFragment;
import svc.platform.retry.RetryPolicy;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ResultRows;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;

/**
 * Gets a project the tables of its auth service before a script that needs them: an idle project costs less without. The owner's
 * session requests them; the operator makes them.
 */
@ApplicationScoped
class AuthPreparation {
    private static final SqlFragment PREPARED = SqlFragment.of("SELECT svc_statements.prepare_auth()");
    private static final Duration TIME = Duration.ofSeconds(5);

    /** The operator takes a tenth of a second, and seconds while it has many projects to reconcile. */
    private static final RetryPolicy WAITING = RetryPolicy.untilSuccess()
            .withExponentialBackoff(Duration.ofMillis(25), Duration.ofMillis(500))
            .withTimeout(Duration.ofSeconds(20))
            .retryOn(failure -> false);

    private final OwnerSessions sessions;

    AuthPreparation(OwnerSessions sessions) {
        this.sessions = sessions;
    }

    private enum State {
        PREPARED,
        REQUESTED,
        /** The script will meet the same trouble, and tell of it. */
        UNKNOWN
    }

    /** @throws svc.platform.problem.ProblemException when the tables were not made in time */
    void require(OwnerLogin login) {
        if (!prepared(login)) {
            throw SqlProblems.authUnprepared().asException();
        }
    }

    private boolean prepared(OwnerLogin login) {
        try {
            return WAITING.callUntil(() -> state(login), state -> state != State.REQUESTED) != State.REQUESTED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private State state(OwnerLogin login) {
        ScriptOutcome outcome = sessions.run(login, ScriptRun.of(PREPARED.sql(), TIME));
        if (!(outcome instanceof ScriptOutcome.Committed committed)) {
            return State.UNKNOWN;
        }
        boolean prepared = committed
                .rows()
                .map(ResultRows::rows)
                .filter(rows -> rows.getFirst()[0][0] == 't')
                .isPresent();
        return prepared ? State.PREPARED : State.REQUESTED;
    }
}
