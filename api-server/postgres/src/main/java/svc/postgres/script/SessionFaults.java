package svc.postgres.script;

import java.io.IOException;
import org.jboss.logging.Logger;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;

/** What a run comes to whose session broke, or was refused. */
final class SessionFaults {
    private static final Logger LOG = Logger.getLogger(SessionFaults.class);

    private SessionFaults() {}

    static ScriptOutcome outcome(OwnerLogin login, IOException e) {
        if (e instanceof OwnerSession.LoginRefusedException refused) {
            return refused(login, refused);
        }
        LOG.warnf(e, "while running a script as %s", login);
        return login.server() == Server.CHOSEN_BY_TENANT
                ? unreachable()
                : new ScriptOutcome.Unreachable("the connection to the database failed");
    }

    private static ScriptOutcome refused(OwnerLogin login, OwnerSession.LoginRefusedException e) {
        LOG.warnf("%s cannot log in: %s", login, e.getMessage());
        if (login.server() == Server.CHOSEN_BY_TENANT) {
            return unreachable();
        }
        if (e.tooMany()) {
            return new ScriptOutcome.Busy(ScriptOutcome.Busy.Share.PROJECT);
        }
        return e.ofTheRole()
                ? new ScriptOutcome.LockedOut()
                : new ScriptOutcome.Unreachable("the database refuses the login");
    }

    /** One text for every failure of a server that a tenant chose: it must not tell which hosts and ports answer. */
    private static ScriptOutcome unreachable() {
        return new ScriptOutcome.Unreachable("the database cannot be reached, or refuses the login");
    }
}
