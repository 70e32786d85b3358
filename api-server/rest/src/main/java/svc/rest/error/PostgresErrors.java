package svc.rest.error;

import java.util.Optional;
import svc.postgres.SqlError;

/** Which HTTP status an error of PostgreSQL has. Code, message, detail and hint pass through as the server wrote them. */
public final class PostgresErrors {
    private static final String PASSED_ON = "PT";

    private PostgresErrors() {}

    /** @param anonymous whether the caller holds no more than the anon key: what is forbidden may be allowed after login */
    public static RestError of(SqlError error, boolean anonymous) {
        if (error.is(SqlError.TOO_LARGE) && !error.fromServer()) {
            return new RestError(
                    400,
                    SqlError.TOO_LARGE,
                    error.getMessage(),
                    Optional.empty(),
                    Optional.of("Ask for fewer rows or columns."));
        }
        if (!error.fromServer()) {
            // It is about our way to the server: what the driver says, and a connection that was refused.
            return RestError.unavailable();
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
            case "21000" -> isOfTheRequest(error.getMessage()) ? 400 : 500;
            case "25006" -> 405;
            case "42501" -> anonymous ? 401 : 403;
            case "42P01" -> 404;
            case "42883" -> error.getMessage().startsWith("function xmlagg(") ? 406 : 404;
            // The role that a token names, or that a function set.
            case "22023" -> error.getMessage().matches("role \".*\" does not exist") ? 401 : 400;
            case "42P17", "53400" -> 500;
            case "57P01", "57P02", "57P03", "57P04" -> 503;
            case "P0001" -> 400;
            default -> statusOfClass(state);
        };
    }

    /** A write without a filter, or a body that has one key twice; otherwise it is a function of the project that failed. */
    private static boolean isOfTheRequest(String cardinality) {
        return cardinality.endsWith("requires a WHERE clause") || cardinality.startsWith("ON CONFLICT DO UPDATE ");
    }

    /**
     * Unlike PostgREST's, class 54 is no fault of the server: a value nests too deep, or a row has too many columns, and
     * the same request will never do.
     */
    private static int statusOfClass(String state) {
        if (state.startsWith(PASSED_ON)) {
            return passedOn(state.substring(PASSED_ON.length())).orElse(500);
        }
        return switch (state.substring(0, 2)) {
            case "08", "53" -> 503;
            case "0L", "0P" -> 403;
            case "09", "25", "2D", "38", "39", "3B", "40", "55", "57", "58", "F0", "HV", "P0", "XX" -> 500;
            default -> 400;
        };
    }

    /** SQLSTATE PTxyz: the tenant's function chose the status. */
    private static Optional<Integer> passedOn(String digits) {
        boolean valid = digits.matches("[2-5][0-9]{2}");
        return valid ? Optional.of(Integer.parseInt(digits)) : Optional.empty();
    }
}
