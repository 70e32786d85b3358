package svc.api.management.query;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.api.db.owner.ResultRows;
import svc.api.db.owner.ScriptOutcome;
import svc.api.gateway.RequestId;
import svc.api.management.json.Body;
import svc.api.management.problem.Problem;
import svc.api.management.problem.ProblemCode;
import svc.api.management.problem.ProblemException;
import svc.api.management.query.audit.CallResult.Kind;
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
public class QueryResource {
    /** Says on an answer that rows are missing from it. */
    static final String CUT = "Svc-Result-Cut";

    private static final String BEARER = "bearer ";

    private final SqlCalls calls;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final TokenAuthentication tokens;
    private final CurrentPrincipal caller;

    QueryResource(
            SqlCalls calls,
            TenantDirectory tenants,
            PurposeRoots roots,
            TokenAuthentication tokens,
            CurrentPrincipal caller) {
        this.calls = calls;
        this.tenants = tenants;
        this.roots = roots;
        this.tokens = tokens;
        this.caller = caller;
    }

    @POST
    @Path("/database/query")
    @Operation(
            operationId = "v1-run-a-query",
            summary = "Run SQL as the project's owner, in one transaction; rows of the last query are the answer")
    public Response query(@PathParam("ref") String ref, QueryBody body, RoutingContext context) {
        return byToken(caller.get(), ref, body, context);
    }

    @POST
    @Path("/migrate/service-role")
    @WithoutToken(because = "the project's service-role key, or a token with database_query, checked in the method")
    @Operation(
            operationId = "migrateServiceRole",
            summary = "Run a migration with the project's service-role key, or with a token that may run SQL")
    public Response migrate(@PathParam("ref") String ref, QueryBody body, RoutingContext context) {
        String authorization = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        Optional<String> key = serviceKey(authorization);
        if (key.isEmpty()) {
            return byToken(tokens.authenticate(authorization), ref, body, context);
        }
        // One answer for a wrong key and for a project that does not exist: a key must not find out which refs are in
        // use.
        Tenant tenant = tenants.find(ref)
                .filter(found -> accepts(found, key.get()))
                .orElseThrow(() -> Problem.of(
                                ProblemCode.SERVICE_KEY_INVALID, "This is not the service-role key of that project.")
                        .asException());
        return run(tenant, call(tenant, Optional.empty(), sql(body), context), context);
    }

    private Response byToken(Principal principal, String ref, QueryBody body, RoutingContext context) {
        Optional<Tenant> tenant =
                tenants.find(ref).filter(found -> found.organization().equals(principal.organization()));
        try {
            principal.require(Permission.DATABASE_QUERY);
        } catch (ProblemException e) {
            tenant.ifPresent(found -> calls.ended(
                    call(found, Optional.of(principal.tokenId()), text(body), context), Kind.DENIED, e.problem()));
            throw e;
        }
        Tenant found = tenant.orElseThrow(
                () -> Problem.of(ProblemCode.PROJECT_NOT_FOUND, "No project " + ref + " can run SQL now.")
                        .withHint("GET /v1/projects/{ref} says whether it exists and is Ready.")
                        .asException());
        return run(found, call(found, Optional.of(principal.tokenId()), sql(body), context), context);
    }

    private Response run(Tenant tenant, SqlCall call, RoutingContext context) {
        RateDecision decision = calls.count(tenant);
        // Set on the connection's own answer, so that problems have them as well.
        context.response().putHeader("RateLimit-Limit", Integer.toString(decision.limit()));
        context.response().putHeader("RateLimit-Remaining", Integer.toString(decision.remaining()));
        context.response().putHeader("RateLimit-Reset", Long.toString(decision.resetSeconds()));
        if (!decision.allowed()) {
            throw calls.ended(call, Kind.THROTTLED, SqlProblems.throttled(decision))
                    .asException();
        }
        ScriptOutcome.Committed committed = calls.run(tenant, call);
        Response.ResponseBuilder answer = Response.status(Response.Status.CREATED)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(committed.rows().map(RowsAsJson::of).orElseGet(RowsAsJson::nothing));
        if (committed.rows().filter(ResultRows::cut).isPresent()) {
            answer.header(CUT, "rows=" + committed.rows().get().rows().size());
        }
        return answer.build();
    }

    private static SqlCall call(Tenant tenant, Optional<UUID> token, String sql, RoutingContext context) {
        return new SqlCall(
                tenant.projectId(),
                tenant.ref(),
                tenant.organization(),
                token,
                RequestId.of(context),
                Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                sql);
    }

    private static String sql(QueryBody body) {
        Body.required(body);
        return Body.required(body.query(), "/query");
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

    private boolean accepts(Tenant tenant, String key) {
        return ApiKey.matchingVersion(
                        key,
                        roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion()),
                        tenant.scope(),
                        tenant.keyVersions().getOrDefault(Purpose.SERVICE_KEY, Set.of(1)))
                .isPresent();
    }
}
