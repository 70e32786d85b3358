package svc.management.log;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import svc.management.query.SqlAuthorization;
import svc.management.token.Permission;
import svc.management.tool.Feature;
import svc.management.tool.Parameter;
import svc.management.tool.Parameter.Kind;
import svc.management.tool.Tool;
import svc.management.tool.Tool.Effect;
import svc.management.tool.ToolCall;
import svc.management.tool.ToolGroup;
import svc.management.tool.ToolResult;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLine;
import svc.platform.tenancy.Tenant;

/** The tools of the logs. Lines are marked as data: anyone who calls the application decides what is in them. */
@ApplicationScoped
class LogTools implements ToolGroup {
    /** A model reads the answer. */
    private static final int MAX_BYTES = 48 << 10;

    private static final int LINES = 100;
    private static final int MAX_MESSAGE = 500;

    private static final Parameter START = Parameter.optional(
            LogWindow.START, Kind.TEXT, "Start of the window, ISO 8601; 24 hours before its end if omitted");
    private static final Parameter END =
            Parameter.optional(LogWindow.END, Kind.TEXT, "End of the window, ISO 8601; now if omitted");

    /** Of branches, which have no log: {@code list_branches} shows how far their work is, and why it failed. */
    private static final String BRANCH_ACTION = "branch-action";

    /** The other services of Supabase's tool of this name. */
    private static final Map<String, LogSource> SERVICES = Map.of(
            "api", LogSource.EDGE,
            "postgres", LogSource.POSTGRES,
            "auth", LogSource.AUTH,
            "storage", LogSource.STORAGE,
            "realtime", LogSource.REALTIME,
            "edge-function", LogSource.FUNCTION_EDGE,
            "edge-function-runtime", LogSource.FUNCTION);

    private final SqlAuthorization authorization;
    private final LogQueries queries;
    private final LogLines log;
    private final Clock clock;

    LogTools(SqlAuthorization authorization, LogQueries queries, LogLines log, Clock clock) {
        this.authorization = authorization;
        this.queries = queries;
        this.log = log;
        this.clock = clock;
    }

    /** A line, without what only programs need. */
    record Line(
            String timestamp,
            String severity,
            String message,
            String requestId,
            Double durationMs,
            Object attributes) {}

    @Override
    public List<Tool> tools() {
        return List.of(
                new Tool(
                        "get_logs",
                        Feature.DEBUGGING,
                        "Get logs",
                        "Gets the newest lines of one service of the project, oldest first, of the last 24 hours unless a"
                                + " window is given.",
                        Effect.READS,
                        true,
                        List.of(
                                Parameter.oneOf(
                                        "service",
                                        "Whose lines",
                                        Stream.concat(SERVICES.keySet().stream(), Stream.of(BRANCH_ACTION))
                                                .sorted()
                                                .toList()),
                                START,
                                END),
                        this::lines),
                new Tool(
                        "query_logs",
                        Feature.DEBUGGING,
                        "Query logs",
                        "Runs one SELECT over the project's logs. The table logs has id, timestamp, event_message, severity_text,"
                                + " source ('edge_logs', 'postgres_logs', 'auth_logs', 'function_edge_logs', 'function_logs',"
                                + " 'storage_logs', 'realtime_logs') and log_attributes['<key>'] with request.method,"
                                + " request.path, response.status_code, execution_time_ms, parsed.sql_state_code and others."
                                + " Aggregates, LIKE, toStartOfMinute and the like work; joins and subqueries do not.",
                        Effect.READS,
                        true,
                        List.of(Parameter.required("sql", Kind.TEXT, "One SELECT"), START, END),
                        this::query));
    }

    private ToolResult lines(ToolCall call) {
        Tenant tenant = tenant(call);
        LogWindow window = LogWindow.of(call.optionalText(LogWindow.START), call.optionalText(LogWindow.END), clock);
        String service = call.text("service");
        if (service.equals(BRANCH_ACTION)) {
            return new ToolResult.Data(
                    "[]", "Branches have no log: list_branches shows their status, and why their migrations failed.");
        }
        List<LogSource> sources = List.of(SERVICES.get(service));
        return ToolResult.data(log.newest(tenant.projectId(), window, sources, LINES).stream()
                .map(LogTools::line)
                .toList());
    }

    private static Line line(LogLines.Line line) {
        String message = ProjectLine.cut(line.message(), MAX_MESSAGE);
        return new Line(
                line.timestamp().toString(),
                line.severity(),
                message.length() < line.message().length() ? message + "…" : message,
                line.requestId(),
                line.durationMs(),
                line.attributes());
    }

    private ToolResult query(ToolCall call) {
        List<String> rows = queries.run(
                tenant(call).projectId(),
                call.text("sql"),
                call.optionalText(LogWindow.START),
                call.optionalText(LogWindow.END),
                MAX_BYTES);
        return new ToolResult.Data("[" + String.join(",", rows) + "]", "");
    }

    private Tenant tenant(ToolCall call) {
        call.by().require(Permission.DATABASE_QUERY);
        return authorization.tenant(call.by(), call.project());
    }
}
