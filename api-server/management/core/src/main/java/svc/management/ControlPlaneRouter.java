package svc.management;

import com.google.re2j.Pattern;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.context.ApplicationScoped;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.management.admission.BodyAdmission;
import svc.management.admission.BodyMemory;
import svc.management.openapi.OpenApiDocument;
import svc.management.page.FormPaths;
import svc.management.problem.AuthenticateHeader;
import svc.management.problem.ProblemMapper;
import svc.management.supabase.SpelledPath;
import svc.management.token.TokenFilter;
import svc.platform.config.ApiConfig;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.ControlPlaneHandler;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;
import svc.platform.dataplane.ServiceDirectory;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemBody;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;
import svc.postgres.PlatformUnavailable;

/**
 * The entry point of the control plane: maps its two prefixes to one set of routes, reads bodies of known callers up to
 * the limit, and renders errors before a resource runs like those of the resources.
 */
@ApplicationScoped
class ControlPlaneRouter implements ControlPlaneHandler {
    private static final Logger LOG = Logger.getLogger(ControlPlaneRouter.class);
    private static final String V1 = ControlPlanePath.V1.path() + "/";
    private static final String API = ControlPlanePath.API.path() + "/";

    /** Of a secret's value of 24 KB, which a form percent-encodes, and of the fields beside it. */
    private static final MemorySize SECRET_FORM = new MemorySize(BigInteger.valueOf(80 << 10));

    /** Where a person decides, or enters a secret, in a browser. */
    private static final Pattern PAGE = Pattern.compile("/(v1|api)/(oauth/authorize|secret-entry)/?");

    private static final String JSON = "application/json";
    private static final int UNAUTHORIZED = 401;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** Source code is larger than other bodies; an MCP client sends it to a tool. */
    private static final Pattern CODE = Pattern.compile("/v1/projects/[^/]+/functions(/.*)?|/v1/mcp");

    /** A folder of migrations in one call, or one that loads data. */
    private static final Pattern MIGRATIONS =
            Pattern.compile("/v1/projects/[^/]+/(database/migrations|migrate/service-role)/?");

    /** What is known of the project decides the answer. */
    private static final Pattern ONE_PROJECT = Pattern.compile("/v1/projects/[^/]+(/.*)?");

    private final ServiceDirectory services;
    private final BodyAdmission admission;
    private final ProjectWatch watch;
    private final ExecutorService virtualThreads;
    private final ApiConfig.Limits limits;
    private final OpenApiDocument description;

    ControlPlaneRouter(
            ApiConfig config,
            ServiceDirectory services,
            BodyAdmission admission,
            ProjectWatch watch,
            @VirtualThreads ExecutorService virtualThreads,
            OpenApiDocument description) {
        this.services = services;
        this.admission = admission;
        this.watch = watch;
        this.virtualThreads = virtualThreads;
        this.limits = config.limits();
        this.description = description;
    }

    @Override
    public void handle(RoutingContext context) {
        String path = context.request().path();
        Optional<String> withRef = SpelledPath.withRef(path);
        Optional<ControlPlanePath> known = ControlPlanePath.of(path);
        if (known.isEmpty()) {
            answer(
                    context,
                    Problem.of(ProblemCode.NOT_FOUND, "The path " + path + " does not exist.")
                            .withHint("The control plane is under /v1 and /api; GET /v1/openapi.json describes it."));
        } else if (withRef.isPresent()) {
            context.reroute(withQuery(context.request(), withRef.get()));
        } else if (description.isMissingFor(path)) {
            description.make(context, this::toResources);
        } else {
            switch (known.get()) {
                case ROOT, STATUS -> status(context);
                case API -> context.reroute(V1 + withQuery(context.request(), path.substring(API.length())));
                case V1, LLMS_TXT, PROTECTED_RESOURCE, AUTHORIZATION_SERVER -> toResources(context);
            }
        }
    }

    @Override
    public boolean isForScripts(RoutingContext context) {
        return !PAGE.matcher(context.normalizedPath()).matches();
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
        String path = request.path();
        if (ONE_PROJECT.matcher(path).matches() && !watch.synced()) {
            refuse(
                    context,
                    Problem.of(ProblemCode.STARTING, "This instance starts and does not know its projects yet.")
                            .withHint("Retry the request after the seconds in Retry-After.")
                            .retryAfter(RETRY_AFTER));
            return;
        }
        admission.challenge(path).ifPresent(challenge -> AuthenticateHeader.prepare(context, challenge));
        Optional<Problem> unusable = ContentTypes.refusal(request.headers().getAll(HttpHeaders.CONTENT_TYPE));
        if (unusable.isPresent()) {
            refuse(context, unusable.get());
            return;
        }
        if (!FormPaths.contains(path)) {
            ContentTypes.assumeJson(request);
        } else if (ContentTypes.isAbsent(request)) {
            request.headers().set(HttpHeaders.CONTENT_TYPE, ContentTypes.FORM);
        }
        long limit = limit(path).asLongValue();
        if (RequestBody.announced(request) > limit) {
            refuse(context, bodyRefused(RequestBody.Refusal.TOO_LARGE, limit));
        } else if (RequestBody.isExpected(request)) {
            authenticate(context, limit);
        } else {
            RequestBody.collect(request, 0, none -> toResource(context, none), () -> {});
        }
    }

    private MemorySize limit(String path) {
        if (FormPaths.contains(path)) {
            return path.equals(FormPaths.SECRET_ENTRY) ? SECRET_FORM : limits.openBody();
        }
        if (MIGRATIONS.matcher(path).matches()) {
            return limits.migrationBody();
        }
        return CODE.matcher(path).matches() ? limits.functionBody() : limits.controlBody();
    }

    private static void toResource(RoutingContext context, Buffer body) {
        ((RoutingContextInternal) context).setBody(body);
        context.next();
    }

    /** A body is read only for a caller that is known. */
    private void authenticate(RoutingContext context, long limit) {
        HttpServerRequest request = context.request();
        request.pause();
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        Context loop = context.vertx().getOrCreateContext();
        virtualThreads.execute(() -> {
            try {
                BodyAdmission.Admitted admitted = admission.admit(authorization, request.path());
                loop.runOnContext(now -> collect(context, admitted, limit));
            } catch (ProblemException e) {
                loop.runOnContext(now -> refuse(context, e.problem()));
            } catch (PlatformUnavailable e) {
                LOG.warnf("while a token was checked: %s", e.getMessage());
                loop.runOnContext(now -> refuse(context, ProblemMapper.platformUnavailable()));
            } catch (RuntimeException e) {
                loop.runOnContext(now -> context.fail(e));
            }
        });
    }

    private void collect(RoutingContext context, BodyAdmission.Admitted admitted, long limit) {
        HttpServerRequest request = context.request();
        admitted.principal().ifPresent(principal -> TokenFilter.pass(context, principal));
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        RequestBody.collect(
                request,
                BodyRules.of(limits, limit, !type.toLowerCase(Locale.ROOT).startsWith("multipart/")),
                admitted.account().open(),
                body -> {
                    BodyMemory.pass(context, body.memory());
                    toResource(context, body.bytes());
                },
                refusal -> answer(context, bodyRefused(refusal, limit)));
    }

    private static Problem bodyRefused(RequestBody.Refusal why, long limit) {
        return switch (why) {
            case TOO_LARGE ->
                Problem.of(
                        ProblemCode.BODY_TOO_LARGE,
                        "The body is larger than " + limit + " bytes, the limit of this call.");
            case TOO_COSTLY ->
                Problem.of(ProblemCode.BODY_TOO_COMPLEX, "The body takes more memory than one request may have.")
                        .withHint("Send fewer and larger values: many small ones take many times their text.");
            case BUSY ->
                Problem.of(ProblemCode.OVERLOADED, "The organisation's requests use all memory that they may have.")
                        .withHint("Retry the request after the seconds in Retry-After.")
                        .retryAfter(RETRY_AFTER);
            case TOO_SLOW -> Problem.of(ProblemCode.BODY_TIMEOUT, "The body arrived too slowly.");
        };
    }

    /** Answers without reading the body. */
    private static void refuse(RoutingContext context, Problem problem) {
        answer(context, problem);
        RequestBody.discard(context.request());
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
        HttpServerResponse response = context.response();
        if (!response.headWritten()) {
            problem.retryAfter().ifPresent(wait -> response.putHeader("Retry-After", Long.toString(wait.toSeconds())));
            if (problem.code().status() == UNAUTHORIZED) {
                response.putHeader("WWW-Authenticate", AuthenticateHeader.of(context));
            }
        }
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
