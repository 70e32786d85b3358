package svc.management.mcp;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.RoutingContext;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import svc.management.ratelimit.RateHeaders;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;

/** How often a token calls tools, and that what its user agreed to runs once; counted over all instances. */
@ApplicationScoped
class McpLimits {
    /** Per token; tools that run SQL count against the project's own limit too. */
    static final int CALLS_PER_MINUTE = 240;

    private final RateLimit calls;
    private final RateLimit consents;

    McpLimits(RedisAPI redis, Clock clock, MeterRegistry metrics) {
        this.calls = new RateLimit(
                redis, new RateLimit.Rule("mcp", CALLS_PER_MINUTE, Duration.ofMinutes(1)), clock, metrics);
        this.consents =
                new RateLimit(redis, new RateLimit.Rule("mcp.consent", 1, RequestState.LIFETIME), clock, metrics);
    }

    /**
     * Counts one tool call of a token.
     *
     * @throws svc.platform.problem.ProblemException 429
     */
    void count(UUID token, RoutingContext context) {
        RateDecision decision = calls.count(token);
        RateHeaders.write(context, decision);
        if (!decision.allowed()) {
            throw Problem.of(
                            ProblemCode.RATE_LIMITED,
                            "The token has used its " + CALLS_PER_MINUTE + " tool calls per minute.")
                    .withHint("Retry in " + decision.resetSeconds() + " seconds.")
                    .retryAfter(decision.reset())
                    .asException();
        }
    }

    /** Whether it is used for the first time. */
    boolean isFirstUse(UUID token, UUID nonce) {
        return consents.count(token, nonce.toString()).allowed();
    }
}
