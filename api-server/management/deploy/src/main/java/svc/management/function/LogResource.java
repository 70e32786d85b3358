package svc.management.function;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import svc.crds.project.ProjectIdentity;
import svc.functions.log.FunctionLog;
import svc.functions.log.LogLine;
import svc.functions.log.LogUnavailableException;
import svc.management.function.FunctionBodies.LogView;
import svc.management.json.QueryParameters;
import svc.management.json.StrictJson;
import svc.management.token.CurrentPrincipal;
import svc.management.token.Permission;
import svc.management.token.Requires;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.budget.Limit;
import svc.platform.budget.Permit;
import svc.platform.budget.Verdict;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;

/**
 * {@code /v1/projects/{ref}/functions/{name}/logs}: the last lines of a function, and with follow a stream of new ones.
 */
@Path("/v1/projects/{ref}/functions/{name}/logs")
@RunOnVirtualThread
public class LogResource {
    private static final String LINES = "application/x-ndjson";
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final int USUAL_LIMIT = 100;

    /** Of the streams: the part of one project. */
    private static final int SHARE = 5;

    private final Functions functions;
    private final FunctionLog log;
    private final CurrentPrincipal caller;
    private final Duration followTime;
    private final Budget followers;
    private final Limit ofProject;

    LogResource(
            Functions functions, FunctionLog log, CurrentPrincipal caller, DeployConfig config, MeterRegistry metrics) {
        this.functions = functions;
        this.log = log;
        this.caller = caller;
        this.followTime = config.followTime();
        this.followers = new Budget("function-log-followers", config.followers());
        BudgetMetrics.register(followers, metrics);
        this.ofProject = new Limit.Fixed(Math.max(1, config.followers() / SHARE));
    }

    @GET
    @Produces({MediaType.APPLICATION_JSON, LINES})
    @Requires(Permission.EDGE_FUNCTIONS)
    @Operation(
            operationId = "getFunctionLogs",
            summary = "Get the last log lines, oldest first; follow=true streams JSON lines")
    public Response lines(
            @PathParam("ref") String ref,
            @PathParam("name") String name,
            @QueryParam("since") String since,
            @QueryParam("limit") String limit,
            @QueryParam("follow") @DefaultValue("false") String follow) {
        functions.get(caller.get(), ref, name);
        UUID projectId =
                ProjectIdentity.of(functions.project(caller.get(), ref)).projectId();
        List<LogLine> lines =
                read(projectId, name, since(since), QueryParameters.limit(limit, USUAL_LIMIT, FunctionLog.MAX_LINES));
        if (!QueryParameters.flag("follow", follow)) {
            return Response.ok(lines.stream().map(LogResource::view).toList(), MediaType.APPLICATION_JSON)
                    .build();
        }
        if (!isFree(projectId)) {
            throw Problem.of(ProblemCode.FUNCTION_LOGS_UNAVAILABLE, "Too many requests follow logs.")
                    .withHint("Retry without follow.")
                    .retryAfter(HEARTBEAT)
                    .asException();
        }
        // Lines before the first requested one are not part of the stream.
        String last = lines.isEmpty() && since != null ? lastOf(read(projectId, name, Optional.empty(), 1)) : "";
        // Acquired where it is released: if the client disconnects before the stream begins, this code never runs.
        StreamingOutput stream = output -> {
            try (Permit place = place(projectId)) {
                if (place.grow(1) == Verdict.GRANTED) {
                    follow(output, projectId, name, lines, last);
                }
            }
        };
        return Response.ok(stream, LINES).build();
    }

    private Permit place(UUID projectId) {
        return followers.whole().part(projectId.toString(), ofProject).open();
    }

    private boolean isFree(UUID projectId) {
        try (Permit place = place(projectId)) {
            return place.grow(1) == Verdict.GRANTED;
        }
    }

    private List<LogLine> read(UUID projectId, String name, Optional<Instant> since, int limit) {
        try {
            return log.read(projectId, name, since, limit);
        } catch (LogUnavailableException e) {
            throw Problem.of(ProblemCode.FUNCTION_LOGS_UNAVAILABLE, "The function logs are unavailable.")
                    .withHint("Retry the request.")
                    .retryAfter(HEARTBEAT)
                    .asException(e);
        }
    }

    /** Ends when the client disconnects, which shows at the next line or heartbeat, or after the configured maximum. */
    private void follow(OutputStream output, UUID projectId, String name, List<LogLine> first, String before)
            throws IOException {
        long end = System.nanoTime() + followTime.toNanos();
        String last = before;
        List<LogLine> lines = first;
        try {
            while (true) {
                for (LogLine line : lines) {
                    output.write(StrictJson.get().writeValueAsBytes(view(line)));
                    output.write('\n');
                    last = line.id();
                }
                if (lines.isEmpty()) {
                    // Readers of JSON lines skip an empty line.
                    output.write("\n".getBytes(StandardCharsets.US_ASCII));
                }
                output.flush();
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                Duration wait = Duration.ofNanos(Math.min(left, HEARTBEAT.toNanos()));
                lines = log.follow(projectId, name, last, FunctionLog.MAX_LINES, wait);
            }
        } catch (LogUnavailableException e) {
            // The client sees the end of the stream and may reconnect.
            return;
        }
    }

    private static String lastOf(List<LogLine> lines) {
        return lines.isEmpty() ? "" : lines.getLast().id();
    }

    private static LogView view(LogLine line) {
        return new LogView(
                line.id(),
                line.time(),
                line.level().name().toLowerCase(Locale.ROOT),
                line.event().name().toLowerCase(Locale.ROOT),
                line.requestId().orElse(null),
                line.message());
    }

    private static Optional<Instant> since(String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text)).map(LogResource::inMilliseconds);
        } catch (DateTimeParseException | ArithmeticException e) {
            throw QueryParameters.invalid("since", "a time such as 2030-01-31T12:00:00Z");
        }
    }

    /** The log counts in milliseconds, of which there are too many before and after some years that Java accepts. */
    private static Instant inMilliseconds(Instant time) {
        return Instant.ofEpochMilli(time.toEpochMilli());
    }
}
