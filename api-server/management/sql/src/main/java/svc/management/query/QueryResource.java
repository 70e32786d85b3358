package svc.management.query;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.result.RowsAsJson;
import svc.management.token.CurrentPrincipal;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.postgres.script.ScriptOutcome;
import svc.postgres.script.ScriptRun.Results;

/** {@code /v1/projects/{ref}/database/query}. */
@Path("/v1/projects/{ref}/database/query")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(
        responseCode = "201",
        description = "The rows; the header Svc-Result-Cut is present if the limits truncated them",
        headers = {@Header(name = "Svc-Result-Cut", description = "rows=N: the response contains the first N rows only")
        },
        content =
                @Content(
                        schema =
                                @Schema(
                                        type = SchemaType.ARRAY,
                                        implementation = Object.class,
                                        examples = "[{\"id\":1,\"title\":\"milk\"}]")))
@APIResponse(
        responseCode = "400",
        description = "sql_error, sql_unparseable, sql_forbidden_statement, sql_forbidden_object,"
                + " sql_parameters_invalid, sql_timeout, invalid_body, invalid_parameter, malformed_json")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
@APIResponse(responseCode = "413", description = "sql_too_large, body_too_large")
@APIResponse(responseCode = "429", description = "rate_limit_exceeded, with Retry-After")
@APIResponse(responseCode = "502", description = "upstream_failed: whether the script was applied is not known")
@APIResponse(responseCode = "503", description = "audit_unavailable, unavailable: nothing was applied")
public class QueryResource {
    /** Header of a response whose rows were truncated. */
    static final String CUT = "Svc-Result-Cut";

    /** Not a method parameter: the framework drops one without a value, and the script would run as the owner. */
    private static final String AS = "as";

    private static final Set<String> PARAMETERS = Set.of(AS, "results");
    private static final int SHOWN = 60;

    private static final String DESCRIPTION =
            "The script is applied as a whole or not at all. Returns the rows of its last statement that returns rows, as"
                    + " a JSON array of objects; with results=all an array with one object for each statement. Every"
                    + " problem has a code; problems of the SQL name its statement, line and column.";

    /** Maximum size of the rows in a response. */
    private static final long MAX_BYTES = 8L << 20;

    private final SqlAuthorization authorization;
    private final SqlCalls calls;
    private final CurrentPrincipal caller;
    private final QueryConfig config;

    QueryResource(SqlAuthorization authorization, SqlCalls calls, CurrentPrincipal caller, QueryConfig config) {
        this.authorization = authorization;
        this.calls = calls;
        this.caller = caller;
        this.config = config;
    }

    @POST
    @Operation(
            operationId = "v1-run-a-query",
            summary = "Run SQL as the owner of the project in one transaction; returns the rows of the last query",
            description = DESCRIPTION)
    @Parameter(
            name = AS,
            in = ParameterIn.QUERY,
            description =
                    "anon or authenticated: runs the script in that role, with the claims of the body, as a request of the"
                            + " REST API would",
            schema =
                    @Schema(
                            type = SchemaType.STRING,
                            enumeration = {"anon", "authenticated"}))
    public Response query(
            @PathParam("ref") String ref,
            @Parameter(description = "all: every statement's command, row count and rows") @QueryParam("results")
                    String results,
            QueryBody body,
            RoutingContext context) {
        return run(ref, body, results, PARAMETERS, context);
    }

    @POST
    @Path("/read-only")
    @Operation(
            operationId = "v1-read-only-query",
            summary = "Run SQL as the owner of the project in a transaction that may only read",
            description = "The same as read_only of POST /database/query: PostgreSQL refuses every write.")
    public Response readOnly(@PathParam("ref") String ref, ReadOnlyQueryBody body, RoutingContext context) {
        return run(ref, body == null ? null : body.options(), null, Set.of(), context);
    }

    private Response run(String ref, QueryBody body, String results, Set<String> known, RoutingContext context) {
        AuthorizedCall allowed = authorization.byToken(caller.get(), ref, text(body), context);
        requireKnown(context, known);
        QueryCall query = QueryCall.of(body, Optional.ofNullable(results), context.queryParam(AS), config);
        AuthorizedCall authorized =
                query.caller().map(role -> allowed.as(role.name())).orElse(allowed);
        authorization.count(authorized, SqlBudget.QUERIES, context);
        ScriptOutcome.Committed committed = calls.run(authorized, query);
        RowsAsJson.Rendered rendered = query.results() == Results.ALL
                ? RowsAsJson.all(committed, MAX_BYTES)
                : RowsAsJson.last(committed, MAX_BYTES);
        Response.ResponseBuilder answer = Response.status(Response.Status.CREATED)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(rendered.json());
        if (rendered.cut()) {
            answer.header(CUT, "rows=" + rendered.rows());
        }
        return answer.build();
    }

    /** A misspelt parameter is refused: without {@code as} the script would run as the owner. */
    private static void requireKnown(RoutingContext context, Set<String> known) {
        context.queryParams().names().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw Problem.of(
                                    ProblemCode.INVALID_PARAMETER,
                                    "This call has no query parameter "
                                            + (name.length() > SHOWN ? name.substring(0, SHOWN) + "…" : name) + ".")
                            .withHint(
                                    known.isEmpty()
                                            ? "It has none: query and parameters are fields of the body."
                                            : "There are as and results; everything else is a field of the body.")
                            .asException();
                });
    }

    /** Empty if there is none: the permission is checked before the body is validated. */
    private static String text(QueryBody body) {
        return body == null || body.query() == null ? "" : body.query();
    }
}
