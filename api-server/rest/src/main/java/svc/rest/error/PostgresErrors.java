package svc.rest.error;

import com.google.re2j.Pattern;
import java.util.Optional;
import svc.postgres.SqlError;

/** Maps PostgreSQL errors to HTTP status codes. Code, message, detail and hint pass through unchanged. */
public final class PostgresErrors {
    private static final Pattern STATUS = Pattern.compile("[2-5][0-9]{2}");

    private static final String CUSTOM_STATUS = "PT";

    private PostgresErrors() {}

    /** @param anonymous whether the caller has only the anon key: 401 instead of 403 */
    public static RestError of(SqlError error, boolean anonymous) {
        if (error.is(SqlError.TOO_LARGE) && !error.fromServer()) {
            return new RestError(
                    400,
                    SqlError.TOO_LARGE,
                    error.getMessage(),
                    Optional.empty(),
                    Optional.of("Request fewer rows or columns."));
        }
        if (!error.fromServer()) {
            // An error of the driver or the connection, whose text is not for clients.
            return RestError.connectionError();
        }
        if (error.is(RaisedError.SQLSTATE)) {
            return RaisedError.of(error);
        }
        return new RestError(
                status(error, anonymous), error.sqlState(), error.getMessage(), error.detail(), error.hint());
    }

    private static int status(SqlError error, boolean anonymous) {
        String state = error.sqlState();
        return switch (state) {
            case "23503", "23505" -> 409;
            case "21000" -> isClientError(error.getMessage()) ? 400 : 500;
            case "25006" -> 405;
            case "42501" -> anonymous ? 401 : 403;
            case "42P01" -> 404;
            case "42883" -> error.getMessage().startsWith("function xmlagg(") ? 406 : 404;
            // The role of a token, or one that a function set.
            case "22023" -> isUnknownRole(error.getMessage()) ? 401 : 400;
            case "42P17", "53400" -> 500;
            case "57P01", "57P02", "57P03", "57P04" -> 503;
            case "P0001" -> 400;
            default -> statusOfClass(state);
        };
    }

    private static boolean isUnknownRole(String message) {
        return message.startsWith("role \"") && message.endsWith("\" does not exist");
    }

    /** A write without a filter, or a body with a duplicate key; otherwise a function of the project failed. */
    private static boolean isClientError(String cardinality) {
        return cardinality.endsWith("requires a WHERE clause") || cardinality.startsWith("ON CONFLICT DO UPDATE ");
    }

    /**
     * Unlike in PostgREST, class 54 is a client error: a value is nested too deeply or a row has too many columns, and a
     * retry cannot succeed.
     */
    private static int statusOfClass(String state) {
        if (state.startsWith(CUSTOM_STATUS)) {
            return customStatus(state.substring(CUSTOM_STATUS.length())).orElse(500);
        }
        return switch (state.substring(0, 2)) {
            case "08", "53" -> 503;
            case "0L", "0P" -> 403;
            case "09", "25", "2D", "38", "39", "3B", "40", "55", "57", "58", "F0", "HV", "P0", "XX" -> 500;
            default -> 400;
        };
    }

    /** SQLSTATE PTxyz: a function of the tenant sets the status. */
    private static Optional<Integer> customStatus(String digits) {
        boolean valid = STATUS.matches(digits);
        return valid ? Optional.of(Integer.parseInt(digits)) : Optional.empty();
    }
}
