package svc.management.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;
import svc.management.query.AuthorizedCall;
import svc.management.query.CallOrigin;
import svc.management.query.SqlAuthorization;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;

/** What a client has signed in with: read for each statement, and again and again of a client that sends none. */
final class ClientCredential {
    private static final Logger LOG = Logger.getLogger(ClientCredential.class);

    private static final Duration CHECK = Duration.ofSeconds(30);

    private final SignedIn in;
    private final SqlAuthorization authorization;
    private Instant checkAt = Instant.now().plus(CHECK);

    ClientCredential(SignedIn in, SqlAuthorization authorization) {
        this.in = in;
        this.authorization = authorization;
    }

    /** Reads it for a statement. @throws ProblemException if it works no more */
    AuthorizedCall authorize(String sql, CallOrigin origin) {
        checkAt = Instant.now().plus(CHECK);
        if (in.ends().filter(end -> !Instant.now().isBefore(end)).isPresent()) {
            throw Problem.of(ProblemCode.TOKEN_EXPIRED, "The login role has ended.")
                    .withHint("Create another with POST /v1/projects/{ref}/cli/login-role.")
                    .asException();
        }
        return authorization.byToken(in.holder().get(), in.ref(), sql, origin);
    }

    /** Until it is time to read it. */
    Duration untilCheck() {
        return Duration.between(Instant.now(), checkAt);
    }

    /** Why it does not work any more, if it is time to read it. @param check reads it */
    Optional<ErrorAnswer> refused(Runnable check) {
        if (Instant.now().isBefore(checkAt)) {
            return Optional.empty();
        }
        try {
            check.run();
            return Optional.empty();
        } catch (ProblemException e) {
            return Optional.of(ErrorAnswer.of(e.problem()).asFatal());
        } catch (RuntimeException e) {
            // The platform's database is away: the credential is read again later.
            LOG.debugf(e, "while reading the credential of a client of %s", in.ref());
            return Optional.empty();
        }
    }
}
