package svc.auth.rows;

import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.auth.http.AuthRequest;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;

/** Maps failures of the project's database to refusals. */
public final class SqlErrorMapping {
    private static final Logger LOG = Logger.getLogger(SqlErrorMapping.class);

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
        if (error.is("P0001")) {
            // A tenant's trigger refuses: its message is the answer.
            return AuthErrorCode.UNPROCESSABLE.error(error.getMessage());
        }
        // The cause names what the project has inside, such as the table of a trigger.
        return AuthErrorCode.UNEXPECTED_FAILURE
                .error("Database error " + doing(call.path()))
                .withDetail("[" + error.sqlState() + "] " + error.getMessage());
    }

    /** GoTrue's words. */
    private static String doing(String path) {
        return switch (path) {
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
