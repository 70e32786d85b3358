package svc.postgres.script;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/**
 * Restores an owner's login that was refused, through the platform's login and {@code svc_functions.restore_login}: a
 * script can change its own login's password and settings, and then no further one could run.
 */
final class OwnerRepair {
    private static final Logger LOG = Logger.getLogger(OwnerRepair.class);
    private static final SqlTemplate RESTORE =
            SqlTemplate.of("SELECT svc_functions.restore_login(:'role', :{verifier})");

    private final PlatformLogin login;

    OwnerRepair(PlatformLogin login) {
        this.login = login;
    }

    /** Whether the login was restored, so that it is worth another try; blocks. */
    boolean restored(OwnerLogin owner, ServerAddress address, Duration timeout) {
        if (owner.server() != Server.PLATFORM || owner.verifier().isEmpty()) {
            return false;
        }
        SqlFragment query = RESTORE.bind(Map.of(
                "role", Literal.of(owner.role()),
                "verifier", SqlFragment.of(Literal.secret(owner.verifier().get()))));
        try (OwnerSession platform =
                OwnerSession.open(address, login.role(), login.password().get(), timeout, Map.of())) {
            boolean restored =
                    List.of("t").equals(InternalQuery.ask(platform, query).getFirst());
            LOG.warnf("%s was refused; it was restored: %s", owner, restored);
            return restored;
        } catch (IOException | InternalQuery.RefusedException e) {
            LOG.warnf(e, "%s was refused and could not be restored", owner);
            return false;
        }
    }
}
