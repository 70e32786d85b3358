package svc.api.db.owner;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import svc.database.sql.Literal;

/**
 * Ends an owner's session for good, which no script can catch: through the platform's login and
 * {@code svc_functions.end_owner_session}, which ends nobody else's.
 */
final class SessionEnd {
    private final PlatformLogin login;

    SessionEnd(PlatformLogin login) {
        this.login = login;
    }

    /**
     * @return whether there was such a session
     * @throws IOException when the server could not be asked, or refuses
     */
    boolean end(ServerAddress address, String role, int backend, Duration patience) throws IOException {
        try (OwnerSession platform =
                OwnerSession.open(address, login.role(), login.password().get(), patience, Map.of())) {
            return "t"
                    .equals(Question.ask(
                                    platform,
                                    "SELECT svc_functions.end_owner_session(" + backend + ", "
                                            + Literal.of(role).sql() + ")")
                            .getFirst()
                            .getFirst());
        } catch (Question.RefusedException e) {
            throw new IOException("while ending a session of " + role, e);
        }
    }
}
