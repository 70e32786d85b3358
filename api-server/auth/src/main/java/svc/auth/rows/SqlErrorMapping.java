package svc.auth.rows;

import java.util.Set;
import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;

/** Maps failures of the project's database to refusals. */
public final class SqlErrorMapping {
    private static final Logger LOG = Logger.getLogger(SqlErrorMapping.class);

    private static final String FOREIGN_KEY = "23503";

    /** foreign_key_violation, unique_violation, exclusion_violation: against other rows, not against the row itself. */
    private static final Set<String> CONFLICTS = Set.of(FOREIGN_KEY, "23505", "23P01");

    private SqlErrorMapping() {}

    public static AuthError of(PoolExhausted exhausted) {
        return AuthErrorCode.DATABASE_UNAVAILABLE.error().retryAfter(1);
    }

    /** Hazard: an outage must not become a 4xx, for clients would drop a valid session. */
    public static AuthError of(SqlError error, AuthRequest call) {
        if (!error.fromServer() && error.is("54000")) {
            return AuthErrorCode.UNPROCESSABLE.error("The answer is too large: ask for fewer users at once");
        }
        if (error.infrastructure() || !error.fromServer()) {
            LOG.warnf("%s: auth: database unavailable [%s]", call.tenant().ref(), error.sqlState());
            return AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
        if (error.is("55P03") || error.is("40P01")) {
            // Another call on the same user is still waiting for a mail server.
            return AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
        if (AuthTransactions.isTaken(error)) {
            return AuthErrorCode.USER_ALREADY_EXISTS.error();
        }
        if (isDuplicate(error, "users_phone_key")) {
            return AuthErrorCode.PHONE_EXISTS.error();
        }
        if (isDuplicate(error, "mfa_factors_user_friendly_name_unique")) {
            return AuthErrorCode.FACTOR_NAME_CONFLICT.error();
        }
        if (error.sqlState().startsWith("22")
                || error.constraint().filter("users_pkey"::equals).isPresent()) {
            // A number, a character or an id that the columns do not accept.
            return AuthError.invalid(error.getMessage());
        }
        return ofProject(error, call);
    }

    /** The error of a constraint or a trigger of the project. Nothing of the server has failed, so no 5xx, which clients repeat. */
    private static AuthError ofProject(SqlError error, AuthRequest call) {
        if (error.sqlState().startsWith("P0") || error.sqlState().startsWith("PT")) {
            // A tenant's trigger refuses: its message is the answer.
            return AuthErrorCode.UNPROCESSABLE.error(error.getMessage());
        }
        String failed = "Database error " + doing(call);
        // The cause names what the project has inside, such as the table of a trigger.
        String cause = "[" + error.sqlState() + "] " + error.getMessage();
        if (!error.sqlState().startsWith("23")) {
            return AuthErrorCode.UNEXPECTED_FAILURE.error(failed).withDetail(cause);
        }
        AuthErrorCode code =
                CONFLICTS.contains(error.sqlState()) ? AuthErrorCode.CONSTRAINT_CONFLICT : AuthErrorCode.UNPROCESSABLE;
        String remedy = error.is(FOREIGN_KEY) && call.method().equals("DELETE")
                ? ". Delete or change the rows that refer to the user, or declare the key ON DELETE CASCADE or SET NULL"
                : "";
        return code.error(failed + ": a constraint of the project forbids it").withDetail(cause + remedy);
    }

    /** GoTrue's words. */
    private static String doing(AuthRequest call) {
        if (call.method().equals("DELETE")) {
            return call.path().startsWith("/admin/users/") && !call.path().contains("/factors")
                    ? "deleting user"
                    : "updating user";
        }
        return switch (call.path()) {
            case "/signup", "/otp", "/magiclink", "/invite", "/admin/users", "/callback" -> "saving new user";
            case "/token" -> "granting user";
            default -> "updating user";
        };
    }

    /** Whether a concurrent call was faster to insert the row. */
    public static boolean isDuplicate(SqlError error, String constraint) {
        return error.is("23505")
                && error.constraint().filter(constraint::equals).isPresent();
    }
}
