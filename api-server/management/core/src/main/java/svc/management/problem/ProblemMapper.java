package svc.management.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import svc.platform.config.OutageLog;
import svc.platform.dataplane.RequestId;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemBody;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.postgres.PlatformUnavailable;

/**
 * Maps every exception of the control plane to problem+json with the request id; internal details go to the log under
 * the same id.
 */
public final class ProblemMapper {
    private static final Logger LOG = Logger.getLogger(ProblemMapper.class);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private static final int TOO_MANY_REQUESTS = 429;

    private final OutageLog outages;

    ProblemMapper(Clock clock) {
        this.outages = new OutageLog(clock);
    }

    @ServerExceptionMapper
    public Response problem(ProblemException exception, RoutingContext context) {
        if (exception.getCause() instanceof PlatformUnavailable unavailable) {
            logOutage(unavailable);
        } else if (exception.getCause() != null) {
            LOG.warnf(exception.getCause(), "%s [%s]", exception.getMessage(), RequestId.of(context));
        }
        return render(exception.problem(), context);
    }

    /** Exceptions of the framework: no route, wrong method, wrong media type, an unreadable body. */
    @ServerExceptionMapper
    public Response framework(WebApplicationException exception, RoutingContext context) {
        JsonProcessingException json = jsonCause(exception);
        if (json != null) {
            return render(JsonProblem.of(json), context);
        }
        Response original = exception.getResponse();
        Response answer = render(ofStatus(original.getStatus(), context), context);
        if (exception instanceof NotAllowedException && original.getHeaderString(HttpHeaders.ALLOW) != null) {
            return Response.fromResponse(answer)
                    .header(HttpHeaders.ALLOW, original.getHeaderString(HttpHeaders.ALLOW))
                    .build();
        }
        return answer;
    }

    /** Declared for its own type: otherwise the framework's mapper for it would win, which answers without a body. */
    @ServerExceptionMapper
    public Response mismatch(MismatchedInputException exception, RoutingContext context) {
        return json(exception, context);
    }

    @ServerExceptionMapper
    public Response json(JsonProcessingException exception, RoutingContext context) {
        return render(JsonProblem.of(exception), context);
    }

    /** The reason is logged only: it names databases and logins. */
    @ServerExceptionMapper
    public Response unavailable(PlatformUnavailable exception, RoutingContext context) {
        logOutage(exception);
        return render(platformUnavailable(), context);
    }

    /** The answer while the platform's database is unavailable. */
    public static Problem platformUnavailable() {
        return Problem.of(ProblemCode.PLATFORM_UNAVAILABLE, "The platform database is unavailable.")
                .withHint("Retry the request after the seconds in Retry-After. If it"
                        + " creates or changes something, check first whether it was applied.")
                .with("retryable", true)
                .retryAfter(RETRY_AFTER);
    }

    private void logOutage(PlatformUnavailable exception) {
        outages.line(exception.reason(), exception.getMessage())
                .ifPresent(line -> LOG.warnf("platform database unavailable [%s]: %s", exception.reason(), line));
    }

    @ServerExceptionMapper
    public Response fault(Throwable exception, RoutingContext context) {
        LOG.errorf(
                exception,
                "%s %s failed [%s]",
                context.request().method(),
                context.normalizedPath(),
                RequestId.of(context));
        return render(
                Problem.of(ProblemCode.INTERNAL_ERROR, "The service failed while it processed this request.")
                        .withHint(
                                "Retry the request. If the error persists, report the request_id to the platform's operator."),
                context);
    }

    private static Response render(Problem problem, RoutingContext context) {
        Response.ResponseBuilder answer = Response.status(problem.code().status())
                .type(ProblemBody.MEDIA_TYPE)
                .entity(ProblemBody.of(problem, RequestId.of(context)));
        retryAfter(problem).ifPresent(wait -> answer.header(HttpHeaders.RETRY_AFTER, wholeSeconds(wait)));
        if (problem.code().status() == Response.Status.UNAUTHORIZED.getStatusCode()) {
            answer.header(HttpHeaders.WWW_AUTHENTICATE, AuthenticateHeader.of(context));
        }
        return answer.build();
    }

    /** Every 429 says when to try again. */
    private static Optional<Duration> retryAfter(Problem problem) {
        return problem.retryAfter()
                .or(() -> problem.code().status() == TOO_MANY_REQUESTS ? Optional.of(RETRY_AFTER) : Optional.empty());
    }

    private static long wholeSeconds(Duration wait) {
        return Math.max(1, (wait.toMillis() + 999) / 1000);
    }

    /** The problem for a bare status. */
    private static Problem ofStatus(int status, RoutingContext context) {
        String path = context.request().path();
        return switch (status) {
            case 404 -> Problem.of(ProblemCode.NOT_FOUND, "The control plane has no path " + path + ".");
            case 405 ->
                Problem.of(
                        ProblemCode.METHOD_NOT_ALLOWED,
                        path + " does not support " + context.request().method() + ".");
            case 406 -> Problem.of(ProblemCode.NOT_ACCEPTABLE, "This call responds in application/json only.");
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is larger than this call accepts.");
            case 415 ->
                Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "This call accepts a body in application/json only.");
            default ->
                status < 500
                        ? Problem.of(ProblemCode.BAD_REQUEST, "The request is malformed.")
                        : Problem.of(ProblemCode.INTERNAL_ERROR, "The service failed while it processed this request.");
        };
    }

    private static JsonProcessingException jsonCause(Throwable exception) {
        return Stream.iterate(exception, cause -> cause != null, Throwable::getCause)
                .limit(8)
                .filter(JsonProcessingException.class::isInstance)
                .map(JsonProcessingException.class::cast)
                .findFirst()
                .orElse(null);
    }
}
