package svc.management.log;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.config.ApiConfig;
import svc.platform.tenancy.Tenant;

/** {@code /v1/projects/{ref}/analytics/endpoints/logs}, as Supabase's tools call it. */
@Path("/v1/projects/{ref}/analytics/endpoints")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@APIResponse(responseCode = "400", description = "log_query_invalid, log_query_timeout, invalid_parameter")
@APIResponse(responseCode = "401", description = "token_missing, token_unknown, …")
@APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
@APIResponse(responseCode = "404", description = "project_not_found")
public class LogQueryResource {
    private static final int MAX_BYTES = 4 << 20;

    private static final String DEPRECATION = "Deprecation";

    /** In the form of RFC 9745: 24 November 2026. */
    private static final String SINCE = "@1795478400";

    private static final String USUAL = "select id, timestamp, source, severity_text, event_message from logs"
            + " order by timestamp desc limit 100";

    private final SqlAuthorization authorization;
    private final LogQueries queries;
    private final CurrentPrincipal caller;
    private final String baseUrl;

    LogQueryResource(SqlAuthorization authorization, LogQueries queries, CurrentPrincipal caller, ApiConfig config) {
        this.authorization = authorization;
        this.queries = queries;
        this.caller = caller;
        this.baseUrl = config.hosts().baseUrl();
    }

    /** @param result rows of the query's columns */
    @Schema(name = "AnalyticsResponse")
    public record View(List<Object> result) {}

    @GET
    @Path("/logs")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-get-project-logs",
            summary = "Query the project's logs with SQL; the last 24 hours without a window")
    @APIResponse(
            responseCode = "200",
            description = "The rows",
            content = @Content(schema = @Schema(implementation = View.class)))
    public Response logs(
            @PathParam("ref") String ref,
            @QueryParam("sql") String sql,
            @QueryParam(LogWindow.START) String start,
            @QueryParam(LogWindow.END) String end) {
        return run(authorization.tenant(caller.get(), ref), sql, start, end);
    }

    private Response run(Tenant tenant, String sql, String start, String end) {
        List<String> rows = queries.run(
                tenant.projectId(),
                Optional.ofNullable(sql).orElse(USUAL),
                LogLines.nonBlank(start),
                LogLines.nonBlank(end),
                MAX_BYTES);
        return answer(rows);
    }

    /** @param rows as JSON objects */
    static Response answer(List<String> rows) {
        return Response.ok("{\"result\":[" + String.join(",", rows) + "]}", MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    @GET
    @Path("/logs.all")
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "v1-get-project-logs-all",
            summary = "The same under its former name",
            description = "Deprecated: the header Link has the address that replaces it.")
    @APIResponse(
            responseCode = "200",
            description = "The rows",
            headers = {
                @Header(name = DEPRECATION, description = "Since when, by RFC 9745"),
                @Header(name = HttpHeaders.LINK, description = "rel=successor-version: the address that replaces it")
            },
            content = @Content(schema = @Schema(implementation = View.class)))
    public Response all(
            @PathParam("ref") String ref,
            @QueryParam("sql") String sql,
            @QueryParam(LogWindow.START) String start,
            @QueryParam(LogWindow.END) String end) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        String successor = baseUrl + "/projects/" + tenant.ref() + "/analytics/endpoints/logs";
        return Response.fromResponse(run(tenant, sql, start, end))
                .header(DEPRECATION, SINCE)
                .header(HttpHeaders.LINK, "<" + successor + ">; rel=\"successor-version\"")
                .build();
    }
}
