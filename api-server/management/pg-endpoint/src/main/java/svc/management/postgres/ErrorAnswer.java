package svc.management.postgres;

import java.util.LinkedHashMap;
import java.util.Map;
import svc.platform.problem.Problem;

/**
 * An error or a notice as a client gets it.
 *
 * @param fields by their letter, as in PostgreSQL's "Error and Notice Message Fields"
 */
record ErrorAnswer(Map<Character, String> fields) {
    private static final String ERROR = "ERROR";

    ErrorAnswer {
        fields = Map.copyOf(fields);
    }

    static ErrorAnswer of(String severity, String sqlState, String message) {
        return new ErrorAnswer(Map.of('S', severity, 'V', severity, 'C', sqlState, 'M', message.replace('\0', ' ')));
    }

    static ErrorAnswer error(String sqlState, String message, String hint) {
        return of(ERROR, sqlState, message).with('H', hint);
    }

    static ErrorAnswer notice(String message, String hint) {
        return of("NOTICE", "00000", message).with('H', hint);
    }

    static ErrorAnswer fatal(String sqlState, String message) {
        return of("FATAL", sqlState, message);
    }

    /** The same error for a session that ends with it. */
    ErrorAnswer asFatal() {
        return with('S', "FATAL").with('V', "FATAL");
    }

    ErrorAnswer with(char field, String value) {
        Map<Character, String> more = new LinkedHashMap<>(fields);
        more.put(field, value.replace('\0', ' '));
        return new ErrorAnswer(more);
    }

    String sqlState() {
        return fields.get('C');
    }

    /** A problem of the Management API. */
    static ErrorAnswer of(Problem problem) {
        ErrorAnswer answer = of(ERROR, sqlState(problem), problem.detail());
        if (problem.hint().isPresent()) {
            answer = answer.with('H', problem.hint().get());
        }
        if (problem.members().get("sql_detail") instanceof String detail) {
            answer = answer.with('D', detail);
        }
        if (problem.members().get("where") instanceof String where) {
            answer = answer.with('W', where);
        }
        if (problem.members().get("position") instanceof Integer position && position > 0) {
            answer = answer.with('P', Integer.toString(position));
        }
        return answer;
    }

    private static String sqlState(Problem problem) {
        if (problem.members().get("sqlstate") instanceof String state) {
            return state;
        }
        return switch (problem.code()) {
            case SQL_UNPARSEABLE -> "42601";
            case SQL_FORBIDDEN_STATEMENT -> "0A000";
            case SQL_FORBIDDEN_OBJECT -> "42501";
            case SQL_TOO_LARGE, SQL_RESULT_TOO_LARGE -> "54000";
            case SQL_PARAMETERS_INVALID -> "42601";
            case SQL_TIMEOUT -> "57014";
            case INVALID_BODY, INVALID_PARAMETER -> "22023";
            case MIGRATION_EXISTS, MIGRATION_CHANGED -> "23505";
            case MIGRATION_RUNNING, MIGRATION_STATE_UNKNOWN -> "55006";
            case RATE_LIMIT_EXCEEDED -> "53400";
            case TOKEN_UNKNOWN, TOKEN_REVOKED, TOKEN_EXPIRED, TOKEN_MALFORMED, TOKEN_MISSING -> "28000";
            case PAT_DATABASE_QUERY_FORBIDDEN -> "42501";
            case PROJECT_NOT_FOUND -> "3D000";
            case PROJECT_PAUSED, PROJECT_NOT_READY, SQL_OWNER_MISSING -> "57P03";
            case UNAVAILABLE -> "53000";
            case UPSTREAM_FAILED -> "08006";
            default -> "58000";
        };
    }
}
