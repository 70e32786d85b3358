package svc.platform.problem;

import java.util.Locale;

/**
 * The closed set of errors of the control plane. The code on the wire is the constant's name in lower case. Clients
 * switch on it, so a constant is never renamed, and text never drives logic.
 */
public enum ProblemCode {
    // Invalid requests.
    MALFORMED_JSON(400, "The body is not valid JSON"),
    INVALID_BODY(400, "The body is invalid for this call"),
    INVALID_PARAMETER(400, "A parameter is invalid for this call"),
    BODY_TOO_LARGE(413, "The body is too large"),
    BODY_TOO_COMPLEX(413, "The body takes too much memory"),
    BODY_TIMEOUT(408, "The body arrived too slowly"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body's media type is not accepted here"),
    NOT_ACCEPTABLE(406, "No response exists in an accepted media type"),
    METHOD_NOT_ALLOWED(405, "The path does not support this method"),
    IDEMPOTENCY_KEY_REUSED(422, "The idempotency key was used with a different request"),
    IDEMPOTENCY_KEY_IN_USE(409, "The first request with the idempotency key is running"),
    IDEMPOTENCY_ANSWER_NOT_KEPT(409, "The answer to the idempotency key is not available any more"),
    IDEMPOTENCY_KEYS_EXHAUSTED(429, "Too many idempotency keys are in use"),
    BAD_REQUEST(400, "The request is malformed"),

    // Authentication.
    TOKEN_MISSING(401, "No token was sent"),
    TOKEN_MALFORMED(401, "The token has an invalid format"),
    TOKEN_UNKNOWN(401, "The token does not exist"),
    TOKEN_REVOKED(401, "The token was revoked"),
    TOKEN_EXPIRED(401, "The token has expired"),
    SERVICE_KEY_INVALID(401, "The service-role key is invalid for this project"),

    // Authorization; the first two are literal from SPEC 7.
    PAT_DATABASE_QUERY_FORBIDDEN(403, "The token lacks the permission to run SQL"),
    PAT_EDGE_FUNCTIONS_FORBIDDEN(403, "The token lacks the permission to manage edge functions"),
    PAT_PROJECTS_CREATE_FORBIDDEN(403, "The token lacks the permission to create or change projects"),
    PAT_TOKENS_MANAGE_FORBIDDEN(403, "The token lacks the permission to manage tokens"),
    PAT_ORGANIZATIONS_CREATE_FORBIDDEN(403, "The token lacks the permission to create organisations"),
    MCP_PROJECT_FORBIDDEN(403, "The MCP token is for another project"),

    // Resources.
    NOT_FOUND(404, "The path does not exist"),
    NOT_ENABLED(404, "The installation does not have this"),
    PROJECT_NOT_FOUND(404, "The project does not exist"),
    TOKEN_NOT_FOUND(404, "The token does not exist"),
    MCP_TOKEN_LIMIT_REACHED(409, "The token has reached its limit of MCP tokens"),
    TOKEN_NOT_ACTIVE(409, "The token is no longer active"),
    PROJECT_CONFLICT(409, "The project was changed by another request"),
    PROJECT_NOT_READY(409, "The project is not ready"),
    PROJECT_PAUSED(409, "The project is paused"),
    ORGANIZATION_EXISTS(409, "The organisation already exists"),

    BRANCH_NOT_FOUND(404, "The branch does not exist"),
    BRANCH_EXISTS(409, "The project has a branch of this name"),
    BRANCH_LIMIT_REACHED(409, "The project has as many branches as it may have"),
    BRANCH_BUSY(409, "The branch is being built"),
    BRANCH_CONFLICT(409, "The branch cannot be merged as it is"),

    ETAG_MISMATCH(412, "The resource was changed in the meantime"),

    // SQL.
    SQL_ERROR(400, "The database rejected the SQL"),
    SQL_UNPARSEABLE(400, "The SQL cannot be parsed"),
    SQL_FORBIDDEN_STATEMENT(400, "The SQL contains a statement that is not allowed"),
    SQL_FORBIDDEN_OBJECT(400, "The SQL names an object outside of the project"),
    SQL_TOO_LARGE(413, "The SQL is too long"),
    SQL_PARAMETERS_INVALID(400, "The parameters do not match the SQL"),
    SQL_RESULT_TOO_LARGE(400, "The SQL's result is too large"),
    SQL_OWNER_MISSING(409, "The project has no login configured for SQL"),
    SQL_TIMEOUT(400, "The SQL exceeded its timeout"),
    MIGRATION_NOT_FOUND(404, "The project has no such migration"),
    MIGRATION_EXISTS(409, "The migration is already applied"),
    MIGRATION_CHANGED(409, "The migration is applied with another text"),
    MIGRATION_RUNNING(409, "The migration is running"),
    MIGRATION_STATE_UNKNOWN(409, "The state of the migration is unknown"),
    MIGRATION_ROLLBACK_MISSING(409, "No SQL is kept that undoes the migration"),
    RATE_LIMIT_EXCEEDED(429, "Too many SQL requests for this project"),
    AUDIT_UNAVAILABLE(503, "The audit log cannot be written, so the SQL was not run"),

    // Edge functions.
    FUNCTION_NAME_INVALID(400, "The name is invalid for a function"),
    FUNCTION_PATH_INVALID(400, "A file path is invalid"),
    FUNCTION_TOO_MANY_FILES(413, "The function has too many files"),
    FUNCTION_TOO_LARGE(413, "The function is too large"),
    FUNCTION_COMPILE_FAILED(400, "The function cannot be compiled"),
    FUNCTION_IMPORT_FORBIDDEN(400, "The function has a forbidden import"),
    FUNCTION_IMPORT_FAILED(400, "The function imports a module that does not exist"),
    FUNCTION_IMPORT_MAP_INVALID(400, "The function's import map is invalid"),
    FUNCTION_REGISTRY_UNREACHABLE(503, "A registry that the function imports from is unreachable"),
    FUNCTION_TOO_COSTLY(400, "Bundling the function exceeds the limits"),
    FUNCTION_NO_HANDLER(400, "The function has no handler"),
    FUNCTION_BOOT_FAILED(400, "The function cannot be loaded"),
    FUNCTION_BOOT_TIMEOUT(400, "The function exceeded the boot timeout"),
    FUNCTION_ROLLOUT_FAILED(409, "The new version of the function failed to start"),
    FUNCTION_EXISTS(409, "The function already exists"),
    FUNCTION_NOT_FOUND(404, "The function does not exist"),
    FUNCTION_VERSION_NOT_FOUND(404, "The function has no such version"),
    FUNCTION_VERSION_CONFLICT(409, "The function has a different version"),
    FUNCTION_CONFLICT(409, "The function was changed by another request"),
    FUNCTION_LIMIT_REACHED(409, "The project has reached its limit of functions"),
    FUNCTIONS_DISABLED(409, "Functions are disabled for the project"),
    FUNCTION_DEPLOYS_BUSY(503, "Too many functions are being deployed"),
    FUNCTION_STORE_UNAVAILABLE(503, "The function store is unavailable"),
    FUNCTION_LOGS_UNAVAILABLE(503, "The function logs are unavailable"),
    FUNCTION_SECRET_NAME_INVALID(400, "The name is invalid for a secret"),
    FUNCTION_SECRET_TOO_LARGE(413, "The secret is too large"),
    FUNCTION_SECRET_EXISTS(409, "The secret already exists"),
    FUNCTION_SECRET_NOT_FOUND(404, "The function has no such secret"),

    // Logs.
    LOG_QUERY_INVALID(400, "The log query is not supported"),
    LOG_QUERY_TIMEOUT(400, "The log query exceeded its timeout"),
    LOGS_UNAVAILABLE(503, "The logs are unavailable"),

    // Storage.
    S3_KEY_NOT_FOUND(404, "The access key does not exist"),
    S3_KEY_LIMIT_REACHED(409, "The project has reached its limit of access keys"),

    // The platform.
    RATE_LIMITED(429, "Too many requests"),
    NOT_IMPLEMENTED(501, "This call is not implemented yet"),
    UPSTREAM_FAILED(502, "A system behind the API failed"),
    PLATFORM_UNAVAILABLE(503, "The platform database is unavailable"),
    OVERLOADED(503, "The memory for requests is in use"),
    STARTING(503, "The instance starts"),
    UNAVAILABLE(503, "The service is unavailable"),
    INTERNAL_ERROR(500, "The service failed with an internal error");

    private final int status;
    private final String title;

    ProblemCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The value of the member {@code code}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** HTTP status; the same for every problem of one code. */
    public int status() {
        return status;
    }

    /** The same sentence for every problem of one code, as RFC 9457 requires of a title. */
    public String title() {
        return title;
    }
}
