package svc.management.query;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import svc.database.sql.SqlFragment;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.tenancy.Tenant;
import svc.postgres.script.OwnerLogin;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun;

/**
 * Writes rows that the platform read from one project into another, as the owner of the other: PostgreSQL itself keeps such a
 * script within that project. Not gated, because no text of a caller is in it but as a literal.
 */
@ApplicationScoped
public class OwnerCopies {
    private static final Duration TIME = Duration.ofMinutes(1);

    private final OwnerSessions sessions;
    private final OwnerLogins logins;
    private final AuthPreparation authPreparation;

    OwnerCopies(OwnerSessions sessions, OwnerLogins logins, AuthPreparation authPreparation) {
        this.sessions = sessions;
        this.logins = logins;
        this.authPreparation = authPreparation;
    }

    /**
     * Runs a script in one transaction.
     *
     * @param users whether it writes users
     * @throws svc.platform.problem.ProblemException for every outcome but a commit
     */
    public void write(Tenant tenant, SqlFragment script, boolean users) {
        OwnerLogin login =
                logins.of(tenant).orElseThrow(() -> SqlProblems.noOwner().asException());
        if (users) {
            authPreparation.require(login);
        }
        ScriptOutcome outcome = sessions.run(login, ScriptRun.of(script.sql(), TIME));
        if (outcome instanceof ScriptOutcome.Failed failed) {
            throw Problem.of(ProblemCode.SQL_ERROR, failed.error().message())
                    .with("sqlstate", failed.error().sqlState())
                    .asException();
        }
        if (!(outcome instanceof ScriptOutcome.Committed)) {
            throw Problem.of(ProblemCode.UNAVAILABLE, "The rows could not be copied now.")
                    .withHint("Retry later.")
                    .asException();
        }
    }
}
