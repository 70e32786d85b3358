package svc.management.log;

import com.google.re2j.Pattern;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import svc.management.json.QueryParameters;
import svc.management.query.SqlAuthorization;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.projectlog.LogSource;
import svc.platform.tenancy.Tenant;

/** {@code /v1/projects/{ref}/logs}: the newest lines of a project, and with follow a stream of those that come. */
@Path("/v1/projects/{ref}/logs")
@RunOnVirtualThread
public class ProjectLogResource {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private static final String LINES = "application/x-ndjson";
    private static final Duration USUAL_AGE = Duration.ofHours(24);
    private static final int USUAL_LIMIT = 100;

    private final SqlAuthorization authorization;
    private final LogLines log;
    private final LogFollowers followers;
    private final CurrentPrincipal caller;
    private final Clock clock;

    ProjectLogResource(
            SqlAuthorization authorization,
            LogLines log,
            LogFollowers followers,
            CurrentPrincipal caller,
            Clock clock) {
        this.authorization = authorization;
        this.log = log;
        this.followers = followers;
        this.caller = caller;
        this.clock = clock;
    }

    @GET
    @Produces({MediaType.APPLICATION_JSON, LINES, MediaType.SERVER_SENT_EVENTS})
    @Requires(Permission.DATABASE_QUERY)
    @Operation(
            operationId = "listProjectLogs",
            summary =
                    "Get the newest lines of the project's log, oldest first; follow=true streams JSON lines, or events if they"
                            + " are accepted")
    @APIResponse(responseCode = "200", description = "The lines")
    @APIResponse(responseCode = "400", description = "invalid_parameter")
    @APIResponse(responseCode = "403", description = "pat_database_query_forbidden")
    @APIResponse(responseCode = "404", description = "project_not_found")
    @APIResponse(responseCode = "503", description = "logs_unavailable")
    public Response lines(
            @PathParam("ref") String ref,
            @QueryParam("since") String since,
            @QueryParam("source") String source,
            @QueryParam("limit") String limit,
            @QueryParam("follow") @DefaultValue("false") String follow,
            @HeaderParam("Last-Event-ID") String lastEvent,
            @Context HttpHeaders headers) {
        Tenant tenant = authorization.tenant(caller.get(), ref);
        List<LogSource> sources = LogLines.sources(LogLines.nonBlank(source));
        Instant from = LogLines.nonBlank(since)
                .map(text -> LogWindow.time("since", text))
                .orElseGet(() -> clock.instant().minus(USUAL_AGE));
        int most = QueryParameters.limit(limit, USUAL_LIMIT, LogLines.MAX_LINES);
        boolean stream = QueryParameters.flag("follow", follow);
        Optional<Long> position = position(lastEvent);
        List<LogLines.Line> lines = position.isPresent()
                ? log.after(tenant.projectId(), position.get(), sources)
                : log.newest(tenant.projectId(), from, sources, most);
        if (!stream) {
            return Response.ok(lines, MediaType.APPLICATION_JSON_TYPE).build();
        }
        boolean events = headers.getAcceptableMediaTypes().stream()
                .anyMatch(type -> type.isCompatible(MediaType.SERVER_SENT_EVENTS_TYPE) && !type.isWildcardType());
        // Lines before the first requested one are not part of the stream.
        long before = position.orElseGet(() -> lines.isEmpty() ? log.last(tenant.projectId()) : -1L);
        LogFollowers.Form form = events ? LogFollowers.Form.EVENTS : LogFollowers.Form.LINES;
        StreamingOutput output = followers.follow(tenant.projectId(), sources, form, lines, before);
        return Response.ok(output, events ? MediaType.SERVER_SENT_EVENTS : LINES)
                .header("Cache-Control", "no-store")
                .build();
    }

    private static Optional<Long> position(String text) {
        Optional<String> given = LogLines.nonBlank(text);
        if (given.isPresent() && !NUMBER.matches(given.get())) {
            throw QueryParameters.invalid("Last-Event-ID", "the id of a line");
        }
        return given.map(Long::parseLong);
    }
}
