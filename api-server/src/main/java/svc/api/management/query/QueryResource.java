package svc.api.management.query;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.api.db.owner.ScriptOutcome;
import svc.api.db.owner.ScriptRun.Results;
import svc.api.gateway.RequestId;
import svc.api.management.problem.Problem;
import svc.api.management.problem.ProblemCode;
import svc.api.management.problem.ProblemException;
import svc.api.management.query.audit.Actor;
import svc.api.management.query.audit.CallResult.Kind;
import svc.api.management.query.audit.CallerAddress;
import svc.api.management.query.audit.SqlCall;
import svc.api.management.query.limit.RateDecision;
import svc.api.management.query.result.RowsAsJson;
import svc.api.management.token.CurrentPrincipal;
import svc.api.management.token.Permission;
import svc.api.management.token.Principal;
import svc.api.management.token.TokenAuthentication;
import svc.api.management.token.WithoutToken;
import svc.api.runtime.PurposeRoots;
import svc.api.tenancy.Tenant;
import svc.api.tenancy.TenantDirectory;
import svc.database.key.ApiKey;
import svc.database.key.KeyKind;
import svc.database.key.Purpose;

/** {@code /v1/projects/{ref}/database/query} and {@code /api/projects/{ref}/migrate/service-role}. */
@Path("/v1/projects/{ref}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(
        responseCode = "201",
        description = "The rows; the header Svc-Result-Cut says how many when there were more than the limits allow",
        headers = {
            @Header(name = "RateLimit-Limit", description = "Calls a minute and project"),
            @Header(name = "RateLimit-Remaining", description = "Calls that are left"),
            @Header(name = "RateLimit-Reset", description = "Seconds until one more is possible"),
            @Header(name = "Svc-Result-Cut", description = "rows=N: the answer has the first N rows only")
        },
        content = @Content(schema = @Schema(type = SchemaType.ARRAY, examples = "[{\"id\":1,\"title\":\"milk\"}]")))
@APIResponse(
        responseCode = "400",
        description = "sql_error, sql_unparseable, sql_forbidden_statement, sql_forbidden_object,"
                + " sql_parameters_invalid, sql_timeout, invalid_body, invalid_parameter, malformed_json")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …, service_key_invalid")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
@APIResponse(responseCode = "413", description = "sql_too_large, body_too_large")
@APIResponse(responseCode = "429", description = "rate_limit_exceeded, with Retry-After")
@APIResponse(responseCode = "502", description = "upstream_failed: whether the script was applied is not known")
@APIResponse(responseCode = "503", description = "audit_unavailable, unavailable: nothing was applied")
public class QueryResource {
    /** Says on an answer that rows are missing from it. */
    static final String CUT = "Svc-Result-Cut";

    private static final String BEARER = "bearer ";

    private static final String DESCRIPTION =
            "The script runs as a whole or not at all. The answer is the rows of its last statement that returns any, as"
                    + " a JSON array of objects; with results=all an array with one object for each statement. Every"
                    + " problem has a code; problems of the SQL name its statement, line and column.";

    /** Most bytes of the rows of an answer. */
    private static final long MOST_BYTES = 8L << 20;

    private final SqlCalls calls;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final TokenAuthentication tokens;
    private final CurrentPrincipal caller;
    private final QueryConfig config;
    private final CallerAddress addresses;

    QueryResource(
            SqlCalls calls,
            TenantDirectory tenants,
            PurposeRoots roots,
            TokenAuthentication tokens,
            CurrentPrincipal caller,
            QueryConfig config,
            CallerAddress addresses) {
        this.calls = calls;
        this.tenants = tenants;
        this.roots = roots;
        this.tokens = tokens;
        this.caller = caller;
        this.config = config;
        this.addresses = addresses;
    }

    @POST
    @Path("/database/query")
    @Operation(
            operationId = "v1-run-a-query",
            summary = "Run SQL as the project's owner, in one transaction; rows of the last query are the answer",
            description = DESCRIPTION)
    public Response query(
            @PathParam("ref") String ref,
            @Parameter(description = "all: every statement's command, row count and rows") @QueryParam("results")
                    String results,
            QueryBody body,
            RoutingContext context) {
        return byToken(caller.get(), ref, results, body, context);
    }

    @POST
    @Path("/migrate/service-role")
    @WithoutToken(because = "the project's service-role key, or a token with database_query, checked in the method")
    @Operation(
            operationId = "migrateServiceRole",
            summary = "Run a migration with the project's service-role key, or with a token that may run SQL",
            description = DESCRIPTION)
    public Response migrate(
            @PathParam("ref") String ref,
            @Parameter(description = "all: every statement's command, row count and rows") @QueryParam("results")
                    String results,
            QueryBody body,
            RoutingContext context) {
        String authorization = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        Optional<String> key = serviceKey(authorization);
        if (key.isEmpty()) {
            return byToken(tokens.authenticate(authorization), ref, results, body, context);
        }
        // One answer for a wrong key and for a project that does not exist: a key must not find out which refs are in
        // use.
        Tenant tenant = tenants.find(ref)
                .filter(found -> version(found, key.get()).isPresent())
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SERVICE_KEY_INVALID, "This is not the service-role key of that project.")
                        .asException());
        QueryCall query = QueryCall.of(body, Optional.ofNullable(results), config);
        Actor actor = new Actor.ServiceRole(version(tenant, key.get()).orElseThrow());
        return run(tenant, call(tenant, actor, body.query(), context), query, context);
    }

    private Response byToken(Principal principal, String ref, String results, QueryBody body, RoutingContext context) {
        Optional<Tenant> tenant =
                tenants.find(ref).filter(found -> found.organization().equals(principal.organization()));
        try {
            principal.require(Permission.DATABASE_QUERY);
        } catch (ProblemException e) {
            tenant.ifPresent(found -> calls.ended(
                    call(found, new Actor.Token(principal.tokenId()), text(body), context), Kind.DENIED, e.problem()));
            throw e;
        }
        Tenant found = tenant.orElseThrow(
                () -> Problem.of(ProblemCode.PROJECT_NOT_FOUND, "No project " + ref + " can run SQL now.")
                        .withHint("GET /v1/projects/{ref} says whether it exists and is Ready.")
                        .asException());
        QueryCall query = QueryCall.of(body, Optional.ofNullable(results), config);
        return run(found, call(found, new Actor.Token(principal.tokenId()), body.query(), context), query, context);
    }

    private Response run(Tenant tenant, SqlCall call, QueryCall query, RoutingContext context) {
        RateDecision decision = calls.count(tenant);
        // Set on the connection's own answer, so that problems have them as well.
        context.response().putHeader("RateLimit-Limit", Integer.toString(decision.limit()));
        context.response().putHeader("RateLimit-Remaining", Integer.toString(decision.remaining()));
        context.response().putHeader("RateLimit-Reset", Long.toString(decision.resetSeconds()));
        if (!decision.allowed()) {
            throw calls.ended(call, Kind.THROTTLED, SqlProblems.throttled(decision))
                    .asException();
        }
        ScriptOutcome.Committed committed = calls.run(tenant, call, query, CallerConnection.goneFrom(context));
        RowsAsJson.Rendered rendered = query.results() == Results.ALL
                ? RowsAsJson.all(committed, MOST_BYTES)
                : RowsAsJson.last(committed, MOST_BYTES);
        Response.ResponseBuilder answer = Response.status(Response.Status.CREATED)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(rendered.json());
        if (rendered.cut()) {
            answer.header(CUT, "rows=" + rendered.rows());
        }
        return answer.build();
    }

    private SqlCall call(Tenant tenant, Actor actor, String sql, RoutingContext context) {
        return new SqlCall(
                tenant.projectId(),
                tenant.ref(),
                tenant.organization(),
                actor,
                RequestId.of(context),
                addresses.of(
                        Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                        context.request().headers().getAll("X-Forwarded-For")),
                sql);
    }

    /** Of a call that is denied whatever it sends. */
    private static String text(QueryBody body) {
        return body == null || body.query() == null ? "" : body.query();
    }

    private static Optional<String> serviceKey(String authorization) {
        return Optional.ofNullable(authorization)
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> header.substring(BEARER.length()).strip())
                .filter(text -> KeyKind.of(text).filter(KeyKind.SERVICE::equals).isPresent());
    }

    private OptionalInt version(Tenant tenant, String key) {
        return ApiKey.matchingVersion(
                key,
                roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion()),
                tenant.scope(),
                tenant.keyVersions().getOrDefault(Purpose.SERVICE_KEY, Set.of(1)));
    }
}
