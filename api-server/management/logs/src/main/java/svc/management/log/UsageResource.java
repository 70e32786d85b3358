package svc.management.log;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.function.FunctionNames;
import svc.management.json.QueryParameters;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.tenancy.Tenant;

/**
 * {@code /v1/projects/{ref}/analytics/endpoints/usage.*} and {@code functions.combined-stats}: how many requests the services and
 * functions of a project had, counted from the lines of its log. Paths and members are those of Supabase's Management API.
 */
@Path("/v1/projects/{ref}/analytics/endpoints")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "400", description = "invalid_parameter, log_query_timeout")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found, function_not_found")
public class UsageResource {
    /** Of 180 rows, which no interval exceeds. */
    private static final int MAX_BYTES = 1 << 20;

    private final SqlAuthorization authorization;
    private final LogQueries queries;
    private final FunctionNames functions;
    private final CurrentPrincipal caller;
    private final Clock clock;

    UsageResource(
            SqlAuthorization authorization,
            LogQueries queries,
            FunctionNames functions,
            CurrentPrincipal caller,
            Clock clock) {
        this.authorization = authorization;
        this.queries = queries;
        this.functions = functions;
        this.caller = caller;
        this.clock = clock;
    }

    @GET
    @Path("/usage.api-counts")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-get-project-usage-api-count",
            summary = "Count the requests of each service by minute, hour or day")
    @APIResponse(
            responseCode = "200",
            description = "A row for each time that has requests, the oldest first",
            content = @Content(schema = @Schema(implementation = LogQueryResource.View.class)))
    public Response counts(
            @PathParam("ref") String ref,
            @Parameter(
                            description = "1day if omitted",
                            schema =
                                    @Schema(
                                            type = SchemaType.STRING,
                                            enumeration = {"15min", "30min", "1hr", "3hr", "1day", "3day", "7day"}))
                    @QueryParam("interval")
                    String interval) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        UsageInterval of = UsageInterval.ofWire(interval);
        return answer(tenant, of.counts(), of);
    }

    @GET
    @Path("/usage.api-requests-count")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-get-project-usage-request-count",
            summary = "Count the requests of all services in the last 24 hours")
    @APIResponse(
            responseCode = "200",
            description = "One row",
            content = @Content(schema = @Schema(implementation = LogQueryResource.View.class)))
    public Response requests(@PathParam("ref") String ref) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        return answer(tenant, UsageInterval.ALL_REQUESTS, UsageInterval.DAY);
    }

    @GET
    @Path("/functions.combined-stats")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-get-project-function-combined-stats",
            summary = "Count the calls and log lines of a function by minute, hour or day")
    @APIResponse(
            responseCode = "200",
            description = "A row for each time that has calls or lines, the oldest first; times in milliseconds",
            content = @Content(schema = @Schema(implementation = LogQueryResource.View.class)))
    public Response ofFunction(
            @PathParam("ref") String ref,
            @Parameter(
                            description = "1day if omitted",
                            schema =
                                    @Schema(
                                            type = SchemaType.STRING,
                                            enumeration = {"15min", "30min", "1hr", "3hr", "1day", "3day", "7day"}))
                    @QueryParam("interval")
                    String interval,
            @Parameter(required = true, description = "The id of the function, or its name") @QueryParam("function_id")
                    String function) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        UsageInterval of = UsageInterval.ofWire(interval);
        if (function == null || function.isBlank()) {
            throw QueryParameters.invalid("function_id", "the id of a function");
        }
        return answer(tenant, of.ofFunction(functions.name(caller.get(), tenant.ref(), function)), of);
    }

    private Response answer(Tenant tenant, String query, UsageInterval interval) {
        Optional<String> start =
                Optional.of(clock.instant().minus(interval.length()).toString());
        return LogQueryResource.answer(queries.run(tenant.projectId(), query, start, Optional.empty(), MAX_BYTES));
    }
}
