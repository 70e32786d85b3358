package svc.postgres.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;
import org.postgresql.jdbc.PgConnection;
import svc.database.sql.SqlFragment;
import svc.postgres.Login;
import svc.postgres.SqlError;

/**
 * Sets the password of a project's login again, to what the operator gave it: every login may change its own, and code of
 * a tenant does. Done by {@code svc_functions.restore_login}, which knows what the operator set last.
 */
public final class LoginRepair {
    private static final Logger LOG = Logger.getLogger(LoginRepair.class);
    private static final SqlFragment RESTORE = SqlFragment.of("SELECT svc_functions.restore_login(?, ?) AS restored");
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private LoginRepair() {}

    /**
     * Whether it was set; blocks.
     *
     * @param platform the login of the platform's that may restore this one, in the same database
     * @param verifier as {@code pg_authid} stores it
     */
    public static boolean restored(Login platform, String login, String verifier) {
        try (PgConnection connection = platform.open(ANSWER_LIMIT)) {
            List<Boolean> answer =
                    new ConnectionStatements(connection).query(RESTORE, row -> row.flag("restored"), login, verifier);
            LOG.warnf("the login %s was refused; its password was set again: %s", login, answer.getFirst());
            return answer.getFirst();
        } catch (SQLException | SqlError e) {
            LOG.warnf("the login %s was refused and could not be restored: %s", login, e.getMessage());
            return false;
        }
    }
}
