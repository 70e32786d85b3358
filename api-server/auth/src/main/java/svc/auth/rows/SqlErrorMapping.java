package svc.auth.rows;

import org.jboss.logging.Logger;
import svc.auth.http.AuthError;
import svc.auth.http.AuthErrorCode;
import svc.platform.tenancy.Tenant;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;

/** What a failure of the project's database means to a client. */
public final class SqlErrorMapping {
    private static final Logger LOG = Logger.getLogger(SqlErrorMapping.class);

    private SqlErrorMapping() {}

    public static AuthError of(PoolExhausted exhausted) {
        return AuthErrorCode.DATABASE_UNAVAILABLE.error();
    }

    /** Our own outage is never a 4xx: clients would drop a session that is fine. */
    public static AuthError of(SqlError error, Tenant tenant) {
        if (error.infrastructure() || !error.fromServer()) {
            LOG.warnf("%s: auth cannot use the database [%s]", tenant.ref(), error.sqlState());
            return AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
        if (error.is("55P03") || error.is("40P01")) {
            // Another call about the same user is still waiting for a mail server.
            return AuthErrorCode.DATABASE_UNAVAILABLE.error();
        }
        if (AuthTransactions.isTaken(error)) {
            return AuthErrorCode.USER_ALREADY_EXISTS.error();
        }
        if (isTwice(error, "users_phone_key")) {
            return AuthErrorCode.PHONE_EXISTS.error();
        }
        if (isTwice(error, "mfa_factors_user_friendly_name_unique")) {
            return AuthErrorCode.FACTOR_NAME_CONFLICT.error();
        }
        if (error.sqlState().startsWith("22")
                || error.constraint().filter("users_pkey"::equals).isPresent()) {
            // A number, a character or an id that the columns do not take.
            return AuthError.invalid(error.getMessage());
        }
        if (error.is("P0001")) {
            // A tenant's trigger refuses: its word is the answer.
            return AuthErrorCode.UNPROCESSABLE.error(error.getMessage());
        }
        return AuthErrorCode.UNEXPECTED_FAILURE.error(
                "Database error [" + error.sqlState() + "]: " + error.getMessage());
    }

    /** Whether somebody else was quicker to write what may be there once only. */
    public static boolean isTwice(SqlError error, String constraint) {
        return error.is("23505")
                && error.constraint().filter(constraint::equals).isPresent();
    }
}
