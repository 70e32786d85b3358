package svc.rest.error;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.platform.tenancy.DisplayedNames;

/**
 * An error response with PostgREST's code and message. Its text is sent to the client unchanged.
 *
 * @see EmbeddingErrors for embedded resources
 * @see PostgresErrors for errors of PostgreSQL
 */
public final class RestError extends RuntimeException {
    /** Of the argument names in a message, in characters. */
    private static final int MAX_NAMES_LENGTH = 4_000;

    private final int status;
    private final String code;
    private final Optional<?> details;
    private final Optional<String> hint;
    private final List<Map.Entry<String, String>> headers;

    public RestError(int status, String code, String message, Optional<?> details, Optional<String> hint) {
        this(status, code, message, details, hint, List.of());
    }

    /** @param headers additional response headers, which may have repeated names */
    public RestError(
            int status,
            String code,
            String message,
            Optional<?> details,
            Optional<String> hint,
            List<Map.Entry<String, String>> headers) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.details = details;
        this.hint = hint;
        this.headers = List.copyOf(headers);
    }

    private RestError(int status, String code, String message) {
        this(status, code, message, Optional.empty(), Optional.empty());
    }

    /** The same error with other names of schemas and roles in its texts. */
    public RestError withNames(DisplayedNames names) {
        return new RestError(
                status,
                code,
                names.in(getMessage()),
                details.map(found -> found instanceof String text ? names.in(text) : found),
                hint.map(names::in),
                headers);
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    /** A string, or a list of objects. */
    public Optional<?> details() {
        return details;
    }

    public Optional<String> hint() {
        return hint;
    }

    public List<Map.Entry<String, String>> headers() {
        return headers;
    }

    /** The query string is invalid. */
    public static RestError parseError(String what, String text, int column, String unexpected, String expecting) {
        return new RestError(
                400,
                "PGRST100",
                "\"failed to parse " + what + " (" + text + ")\" (line 1, column " + (column + 1) + ")",
                Optional.of("unexpected " + unexpected + " expecting " + expecting),
                Optional.empty());
    }

    /** The body or its content type is invalid. */
    public static RestError invalidBody(String message) {
        return new RestError(400, "PGRST102", message);
    }

    public static RestError invalidRange(String details) {
        return new RestError(
                416, "PGRST103", "Requested range not satisfiable", Optional.of(details), Optional.empty());
    }

    /**
     * The offset is greater than the number of rows.
     *
     * @param headers the headers of the response without the error
     */
    public static RestError offsetOutOfBounds(long offset, long total, Map<String, String> headers) {
        List<Map.Entry<String, String>> all = new ArrayList<>(headers.entrySet());
        all.add(Map.entry("Content-Range", "*/" + total));
        return new RestError(
                416,
                "PGRST103",
                "Requested range not satisfiable",
                Optional.of("An offset of " + offset + " was requested, but there are only " + total + " rows."),
                Optional.empty(),
                all);
    }

    /** The token names a role that cannot be used: PostgreSQL's message with PostgREST's status. */
    public static RestError unknownRole(String role) {
        return new RestError(401, "22023", "role \"" + role + "\" does not exist", Optional.empty(), Optional.empty());
    }

    public static RestError schemaNotExposed(String asked, String exposed) {
        return new RestError(
                406,
                "PGRST106",
                "Invalid schema: " + asked,
                Optional.empty(),
                Optional.of("Only the following schemas are exposed: " + exposed));
    }

    public static RestError mediaTypeNotAvailable(String asked) {
        return new RestError(406, "PGRST107", "None of these media types are available: " + asked);
    }

    /** No function has that name and these parameters. */
    public static RestError unknownFunction(
            String function,
            Collection<String> arguments,
            Optional<String> wholeType,
            boolean whole,
            Optional<String> hint) {
        String names = names(arguments);
        String without = " without parameters";
        String message = "Could not find the function " + function
                + (whole ? "" : arguments.isEmpty() ? without : "(" + names + ")") + " in the schema cache";
        String named = arguments.isEmpty() ? without : " with parameter" + (arguments.size() > 1 ? "s " : " ") + names;
        String searched = whole
                ? wholeType
                        .map(type -> " with a single unnamed " + type + " parameter")
                        .orElse("")
                : named
                        + wholeType
                                .map(type -> " or with a single unnamed " + type + " parameter")
                                .orElse("");
        return new RestError(
                404,
                "PGRST202",
                message,
                Optional.of("Searched for the function " + function + searched
                        + ", but no matches were found in the schema cache."),
                whole ? Optional.empty() : hint);
    }

    /** The keys of a body may be as long as the body. */
    private static String names(Collection<String> arguments) {
        String names = String.join(", ", arguments);
        return names.length() <= MAX_NAMES_LENGTH ? names : names.substring(0, MAX_NAMES_LENGTH) + "…";
    }

    /** More than one overload accepts these arguments. */
    public static RestError ambiguousFunction(List<String> signatures) {
        return new RestError(
                300,
                "PGRST203",
                "Could not choose the best candidate function between: " + String.join(", ", signatures),
                Optional.empty(),
                Optional.of("Try renaming the parameters or the function itself in the database so function overloading"
                        + " can be resolved"));
    }

    public static RestError rpcMethodNotAllowed(String method) {
        return new RestError(405, "PGRST101", "Cannot use the " + method + " method on RPC");
    }

    /** PUT needs filters on exactly the primary key. */
    public static RestError upsertFilters() {
        return new RestError(
                405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators");
    }

    public static RestError upsertRange() {
        return new RestError(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT");
    }

    public static RestError upsertKey() {
        return new RestError(400, "PGRST115", "Payload values do not match URL in primary key column(s)");
    }

    /** A function set {@code response.headers} to an invalid value. */
    public static RestError invalidResponseHeaders() {
        return new RestError(
                500,
                "PGRST111",
                "response.headers guc must be a JSON array composed of objects with a single key and a string value");
    }

    /** A function set {@code response.status} to an invalid value. */
    public static RestError invalidResponseStatus() {
        return new RestError(500, "PGRST112", "response.status guc must be a valid status code");
    }

    /** {@code max-affected} applies only to functions that return rows. */
    public static RestError maxAffectedOfCall() {
        return new RestError(
                400,
                "PGRST128",
                "Function must return SETOF or TABLE when max-affected preference is used with handling=strict");
    }

    /** The result does not have exactly one row, which the media type requires. */
    public static RestError notSingular(long rows) {
        return new RestError(
                406,
                "PGRST116",
                "Cannot coerce the result to a single JSON object",
                Optional.of("The result contains " + rows + " rows"),
                Optional.empty());
    }

    public static RestError unsupportedMethod(String method) {
        return new RestError(405, "PGRST117", "Unsupported HTTP method: " + method);
    }

    public static RestError invalidPreferences(String invalid) {
        return new RestError(
                400,
                "PGRST122",
                "Invalid preferences given with handling=strict",
                Optional.of("Invalid preferences: " + invalid),
                Optional.empty());
    }

    public static RestError aggregatesDisabled() {
        return new RestError(400, "PGRST123", "Use of aggregate functions is not allowed");
    }

    public static RestError maxAffected(long rows) {
        return new RestError(
                400,
                "PGRST124",
                "Query result exceeds max-affected preference constraint",
                Optional.of("The query affects " + rows + " rows"),
                Optional.empty());
    }

    public static RestError invalidPath() {
        return new RestError(404, "PGRST125", "Invalid path specified in request URL");
    }

    public static RestError disabled() {
        return new RestError(
                404,
                "PGRST125",
                "The REST API of this project is disabled",
                Optional.empty(),
                Optional.of("Set 'enabled' to true in the REST settings of the project."));
    }

    /** A feature that PostgREST does not implement in this place either. */
    public static RestError notImplemented(String details) {
        return new RestError(400, "PGRST127", "Feature not implemented", Optional.of(details), Optional.empty());
    }

    /** {@code having} names a column that is not an aggregate. */
    public static RestError notAnAggregate(String name) {
        return new RestError(
                400,
                "PGRST100",
                "'" + name + "' is not an aggregate of this request",
                Optional.empty(),
                Optional.of("Verify that '" + name + "' is the name of an aggregate in the 'select' query parameter."));
    }

    public static RestError unknownColumn(String table, String column) {
        return new RestError(
                400, "PGRST204", "Could not find the '" + column + "' column of '" + table + "' in the schema cache");
    }

    public static RestError unknownTable(String schema, String table, Optional<String> similar) {
        return new RestError(
                404,
                "PGRST205",
                "Could not find the table '" + schema + "." + table + "' in the schema cache",
                Optional.empty(),
                similar.map(name -> "Perhaps you meant the table '" + schema + "." + name + "'"));
    }

    /** A name that no PostgreSQL identifier can have; the error is PostgreSQL's for an unknown column. */
    public static RestError undefinedColumn(String shown) {
        return new RestError(400, "42703", "column " + shown + " does not exist");
    }

    /** Timeout while waiting for a connection of the pool. */
    public static RestError poolTimeout() {
        return new RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.");
    }

    /** The database is unreachable; clients may retry. */
    public static RestError connectionError() {
        return new RestError(503, "PGRST001", "Database connection error. Retrying the connection.");
    }
}
