package svc.server.gateway;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import svc.platform.dataplane.DataPlanePath;
import svc.platform.dataplane.RequestId;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLine;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.Tenant;

/**
 * One line of the project's log for each request to its services, when its answer has ended. Without the query string, the
 * headers but User-Agent, and the bodies: they may hold credentials.
 */
@ApplicationScoped
class EdgeLog {
    private static final String AUTH_ERROR = "x-sb-error-code";
    private static final String REST_ERROR = "proxy-status";
    private static final Pattern REST_CODE = Pattern.compile("error=([A-Za-z0-9_]{1,64})");
    private static final Pattern AUTH_CODE = Pattern.compile("[a-z0-9_]{1,64}");
    private static final String FUNCTION = "function";

    private final ProjectLog log;

    EdgeLog(ProjectLog log) {
        this.log = log;
    }

    /**
     * Watches a request.
     *
     * @param path without the prefix of path style
     */
    void watch(RoutingContext context, Tenant tenant, String path, Optional<DataPlanePath> target) {
        if (!log.takesRequests()) {
            return;
        }
        long begun = System.nanoTime();
        UUID project = tenant.projectId();
        LogSource source =
                target.map(found -> LogSource.ofService(found.service())).orElse(LogSource.EDGE);
        // A project above its rate must not pay for lines that are lost.
        context.addEndHandler(ended -> {
            if (!isRuntimes(context, target, source) && log.hasPlace(project, source)) {
                log.add(line(context, project, path, target, source, begun));
            }
        });
    }

    /**
     * Whether it is a successful call of the runtime of a function, which fetches the code and posts log lines: no call of the
     * project's users, of which there would be more than of those. No function's name begins with an underscore.
     */
    private static boolean isRuntimes(RoutingContext context, Optional<DataPlanePath> target, LogSource source) {
        return source == LogSource.FUNCTION_EDGE
                && context.response().getStatusCode() < 400
                && target.filter(found -> found.rest().startsWith("/_")).isPresent();
    }

    private ProjectLine line(
            RoutingContext context,
            UUID project,
            String path,
            Optional<DataPlanePath> target,
            LogSource source,
            long begun) {
        HttpServerRequest request = context.request();
        HttpServerResponse response = context.response();
        int status = response.getStatusCode();
        return new ProjectLine(
                project,
                source,
                LogSeverity.ofStatus(status),
                log.now(),
                RequestId.of(context),
                "",
                Optional.of(new ProjectLine.Request(
                        request.method().name(),
                        path,
                        status,
                        (System.nanoTime() - begun) / 1_000,
                        response.bytesWritten(),
                        Objects.requireNonNullElse(request.getHeader("user-agent"), ""))),
                attributes(source, target, status, response));
    }

    private static Map<String, String> attributes(
            LogSource source, Optional<DataPlanePath> target, int status, HttpServerResponse response) {
        Optional<String> error = status < 400 ? Optional.empty() : error(response);
        if (source != LogSource.FUNCTION_EDGE) {
            return error.map(code -> Map.of("error", code)).orElse(Map.of());
        }
        String function = ProjectLine.cut(target.map(EdgeLog::firstSegment).orElse(""), 64);
        return error.map(code -> Map.of(FUNCTION, function, "error", code)).orElse(Map.of(FUNCTION, function));
    }

    private static String firstSegment(DataPlanePath path) {
        int slash = path.rest().indexOf('/', 1);
        return slash < 0 ? path.rest().substring(1) : path.rest().substring(1, slash);
    }

    /** The code of the error, where the service sends it as a header. A function may send anything. */
    private static Optional<String> error(HttpServerResponse response) {
        String auth = response.headers().get(AUTH_ERROR);
        if (auth != null && AUTH_CODE.matcher(auth).matches()) {
            return Optional.of(auth);
        }
        String rest = response.headers().get(REST_ERROR);
        Matcher code = REST_CODE.matcher(Objects.requireNonNullElse(rest, ""));
        return code.find() ? Optional.of(code.group(1)) : Optional.empty();
    }
}
