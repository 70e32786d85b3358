package svc.platform.problem;

import java.util.Locale;

/**
 * The error codes of the control plane. The code on the wire is the constant's name in lower
 * case: clients switch on it, so a constant is never renamed, and text never drives logic.
 */
public enum ProblemCode {
    // The request.
    MALFORMED_JSON(400, "The body is not JSON"),
    INVALID_BODY(400, "The body is invalid"),
    INVALID_PARAMETER(400, "A parameter is invalid"),
    BODY_TOO_LARGE(413, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body's media type is not accepted here"),
    NOT_ACCEPTABLE(406, "No answer in an accepted media type exists"),
    METHOD_NOT_ALLOWED(405, "The path does not take this method"),
    IDEMPOTENCY_KEY_REUSED(422, "The idempotency key was used for another request"),
    BAD_REQUEST(400, "The request cannot be understood"),

    // Authentication.
    TOKEN_MISSING(401, "No token was sent"),
    TOKEN_MALFORMED(401, "The token is malformed"),
    TOKEN_UNKNOWN(401, "The token does not exist"),
    TOKEN_REVOKED(401, "The token was revoked"),
    TOKEN_EXPIRED(401, "The token has expired"),
    SERVICE_KEY_INVALID(401, "The service-role key is not this project's"),

    // Authorization; the first two literal from SPEC 7.
    PAT_DATABASE_QUERY_FORBIDDEN(403, "The token may not run SQL"),
    PAT_EDGE_FUNCTIONS_FORBIDDEN(403, "The token may not manage edge functions"),
    PAT_PROJECTS_CREATE_FORBIDDEN(403, "The token may not create or change projects"),
    PAT_TOKENS_MANAGE_FORBIDDEN(403, "The token may not manage tokens"),
    PAT_ORGANIZATIONS_CREATE_FORBIDDEN(403, "The token may not create organisations"),

    // Resources.
    NOT_FOUND(404, "Nothing is at this address"),
    PROJECT_NOT_FOUND(404, "The project does not exist"),
    TOKEN_NOT_FOUND(404, "The token does not exist"),
    TOKEN_NOT_ACTIVE(409, "The token is not active"),
    PROJECT_CONFLICT(409, "The project was changed concurrently"),
    PROJECT_NOT_READY(409, "The project is not ready"),
    ORGANIZATION_EXISTS(409, "The organisation exists"),

    // SQL.
    SQL_ERROR(400, "The database refused the SQL"),
    SQL_UNPARSEABLE(400, "The SQL cannot be parsed"),
    SQL_FORBIDDEN_STATEMENT(400, "The SQL contains a statement that is not allowed"),
    SQL_FORBIDDEN_OBJECT(400, "The SQL names an object outside the project"),
    SQL_TOO_LARGE(413, "The SQL is too long"),
    SQL_PARAMETERS_INVALID(400, "The parameters do not match the SQL"),
    SQL_RESULT_TOO_LARGE(400, "The SQL's result is too large"),
    SQL_OWNER_MISSING(409, "The project has no login for SQL"),
    SQL_TIMEOUT(400, "The SQL took too long"),
    MIGRATION_NOT_FOUND(404, "The project has no such migration"),
    MIGRATION_EXISTS(409, "The migration was applied before"),
    MIGRATION_RUNNING(409, "The migration is running"),
    MIGRATION_STATE_UNKNOWN(409, "It is not known whether the migration was applied"),
    RATE_LIMIT_EXCEEDED(429, "Too many SQL requests for this project"),
    AUDIT_UNAVAILABLE(503, "The audit log cannot be written, so the SQL was not run"),

    // Edge functions.
    FUNCTION_NAME_INVALID(400, "The name cannot be a function's"),
    FUNCTION_PATH_INVALID(400, "A file's path cannot be used"),
    FUNCTION_TOO_MANY_FILES(413, "The function has too many files"),
    FUNCTION_TOO_LARGE(413, "The function is too large"),
    FUNCTION_COMPILE_FAILED(400, "The function cannot be compiled"),
    FUNCTION_IMPORT_FORBIDDEN(400, "The function imports what it may not"),
    FUNCTION_IMPORT_FAILED(400, "The function imports what does not exist"),
    FUNCTION_IMPORT_MAP_INVALID(400, "The function's import map cannot be used"),
    FUNCTION_REGISTRY_UNREACHABLE(503, "A registry that the function imports from does not answer"),
    FUNCTION_TOO_COSTLY(400, "Bundling the function exceeds its limits"),
    FUNCTION_NO_HANDLER(400, "The function has no handler"),
    FUNCTION_BOOT_FAILED(400, "The function cannot be loaded"),
    FUNCTION_BOOT_TIMEOUT(400, "The function does not finish loading"),
    FUNCTION_ROLLOUT_FAILED(409, "The function's new version does not start"),
    FUNCTION_EXISTS(409, "The function exists already"),
    FUNCTION_NOT_FOUND(404, "The function does not exist"),
    FUNCTION_VERSION_NOT_FOUND(404, "The function has no such version"),
    FUNCTION_VERSION_CONFLICT(409, "The function has another version"),
    FUNCTION_CONFLICT(409, "The function was changed concurrently"),
    FUNCTION_LIMIT_REACHED(409, "The project has as many functions as it may have"),
    FUNCTIONS_DISABLED(409, "The project's functions are switched off"),
    FUNCTION_DEPLOYS_BUSY(503, "Too many functions are being deployed"),
    FUNCTION_STORE_UNAVAILABLE(503, "Functions cannot be stored now"),
    FUNCTION_LOGS_UNAVAILABLE(503, "The logs of functions cannot be read now"),
    FUNCTION_SECRET_NAME_INVALID(400, "The name cannot be a secret's"),
    FUNCTION_SECRET_TOO_LARGE(413, "The secret is too large"),
    FUNCTION_SECRET_NOT_FOUND(404, "The function has no such secret"),

    // The platform.
    RATE_LIMITED(429, "Too many requests"),
    NOT_IMPLEMENTED(501, "This call is not built yet"),
    UPSTREAM_FAILED(502, "An upstream service failed"),
    PLATFORM_UNAVAILABLE(503, "The platform's own database cannot be used now"),
    UNAVAILABLE(503, "The service cannot answer now"),
    INTERNAL_ERROR(500, "The service failed");

    private final int status;
    private final String title;

    ProblemCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** As it stands in the member {@code code}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** HTTP status; the same for each problem of one code. */
    public int status() {
        return status;
    }

    /** The same sentence for each problem of one code, as RFC 9457 asks of a title. */
    public String title() {
        return title;
    }
}
