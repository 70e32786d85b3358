package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/**
 * Terminates an owner's session, which no script can catch: through the platform's login and
 * {@code svc_functions.end_owner_session}, which can end only an owner's sessions.
 */
final class SessionEnd {
    private static final SqlTemplate END_OWNERS =
            SqlTemplate.of("SELECT svc_functions.end_owner_session(:'backend', :'role')");
    private static final SqlTemplate END_OWN = SqlTemplate.of("SELECT pg_catalog.pg_terminate_backend(:'backend')");

    private final PlatformLogin login;

    SessionEnd(PlatformLogin login) {
        this.login = login;
    }

    /**
     * On a server that a tenant chose no platform credentials are sent; every login may terminate its own sessions there.
     *
     * @return whether there was such a session
     * @throws IOException when the server could not be asked, or refuses
     */
    boolean end(OwnerLogin owner, ServerAddress address, int backend, Duration timeout) throws IOException {
        boolean ours = owner.server() == Server.PLATFORM;
        String role = ours ? login.role() : owner.role();
        String password = ours ? login.password().get() : owner.password();
        SqlFragment query = ours
                ? END_OWNERS.bind(Map.of("backend", Literal.of(backend), "role", Literal.of(owner.role())))
                : END_OWN.bind(Map.of("backend", Literal.of(backend)));
        try (OwnerSession other = OwnerSession.open(address, role, password, timeout, Map.of())) {
            return "t".equals(InternalQuery.ask(other, query).getFirst().getFirst());
        } catch (InternalQuery.RefusedException e) {
            throw new IOException("while ending a session of " + owner.role(), e);
        }
    }
}
