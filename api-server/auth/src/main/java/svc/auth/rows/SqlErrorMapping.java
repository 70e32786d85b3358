package svc.auth.rows;

import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.platform.tenancy.Tenant;
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
    public static AuthError of(SqlError error, Tenant tenant) {
        if (error.infrastructure() || !error.fromServer()) {
            LOG.warnf("%s: auth: database unavailable [%s]", tenant.ref(), error.sqlState());
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
        return AuthErrorCode.UNEXPECTED_FAILURE.error(
                "Database error [" + error.sqlState() + "]: " + error.getMessage());
    }

    /** Whether a concurrent call was faster to insert the row. */
    public static boolean isDuplicate(SqlError error, String constraint) {
        return error.is("23505")
                && error.constraint().filter(constraint::equals).isPresent();
    }
}
