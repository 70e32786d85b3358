package svc.management;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.dataplane.ControlPlaneHandler;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;
import svc.platform.dataplane.ServiceDirectory;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemBody;
import svc.platform.problem.ProblemCode;

/**
 * The entry point of the control plane: maps its two prefixes to one set of routes, reads bodies up to the limit, and
 * renders errors before a resource runs like those of the resources.
 */
@ApplicationScoped
class ControlPlaneRouter implements ControlPlaneHandler {
    private static final Logger LOG = Logger.getLogger(ControlPlaneRouter.class);
    private static final String V1 = "/v1/";
    private static final String API = "/api/";
    private static final Set<String> STATUS_PATHS = Set.of("/", "/status");
    private static final String JSON = "application/json";

    /** Source code is larger than other bodies. */
    private static final Pattern CODE = Pattern.compile("/v1/projects/[^/]+/functions(/.*)?");

    private final ServiceDirectory services;
    private final long bodyLimit;
    private final long codeLimit;

    ControlPlaneRouter(ApiConfig config, ServiceDirectory services) {
        this.services = services;
        this.bodyLimit = config.limits().controlBody().asLongValue();
        this.codeLimit = config.limits().functionBody().asLongValue();
    }

    @Override
    public void handle(RoutingContext context) {
        String path = context.request().path();
        if (STATUS_PATHS.contains(path)) {
            status(context);
        } else if (path.startsWith(API)) {
            context.reroute(V1 + withQuery(context.request(), path.substring(API.length())));
        } else if (path.startsWith(V1)) {
            toResources(context);
        } else {
            answer(
                    context,
                    Problem.of(ProblemCode.NOT_FOUND, "The path " + path + " does not exist.")
                            .withHint("The control plane is under /v1 and /api; GET /v1/openapi.json describes it."));
        }
    }

    private void status(RoutingContext context) {
        HttpMethod method = context.request().method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            context.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD, OPTIONS");
            answer(context, Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "The status is read-only: use GET or HEAD."));
            return;
        }
        send(context, 200, StatusObject.json(services.prefixes()), JSON);
    }

    private void toResources(RoutingContext context) {
        HttpServerRequest request = context.request();
        assumeJson(request);
        long limit = CODE.matcher(request.path()).matches() ? codeLimit : bodyLimit;
        RequestBody.collect(
                request,
                limit,
                body -> {
                    ((RoutingContextInternal) context).setBody(body);
                    context.next();
                },
                () -> answer(
                        context,
                        Problem.of(
                                ProblemCode.BODY_TOO_LARGE,
                                "The body is larger than " + limit + " bytes, the limit of this call.")));
    }

    /** A plain {@code curl -d} sends the content type of a form with a JSON body; no call takes a form. */
    private static void assumeJson(HttpServerRequest request) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        String bare = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (bare.isEmpty() || bare.equals("application/x-www-form-urlencoded") || bare.equals("text/plain")) {
            request.headers().set(HttpHeaders.CONTENT_TYPE, JSON);
        }
    }

    @Override
    public void rejectMalformedUri(RoutingContext context) {
        answer(
                context,
                Problem.of(ProblemCode.BAD_REQUEST, "The URL of the request is not a valid URI.")
                        .withHint("Percent-encode characters that a URI cannot contain; write a literal % as %25."));
    }

    @Override
    public void handleFailure(RoutingContext context) {
        int status = context.statusCode();
        if (status >= 400 && status < 500) {
            answer(context, Problem.of(ProblemCode.BAD_REQUEST, "The request is malformed."));
            return;
        }
        LOG.errorf(context.failure(), "%s failed", context.request().path());
        answer(context, Problem.of(ProblemCode.INTERNAL_ERROR, "The service failed while it processed this request."));
    }

    private static void answer(RoutingContext context, Problem problem) {
        JsonObject body = new JsonObject(ProblemBody.of(problem, RequestId.of(context)));
        send(context, problem.code().status(), body, ProblemBody.MEDIA_TYPE);
    }

    private static void send(RoutingContext context, int status, JsonObject body, String mediaType) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, mediaType);
        response.end(body.toBuffer()).onFailure(gone -> response.close());
    }

    private static String withQuery(HttpServerRequest request, String path) {
        return request.query() == null ? path : path + "?" + request.query();
    }
}
