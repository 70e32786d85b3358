package svc.management.mcp.oauth;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import svc.platform.clientip.CallerAddress;
import svc.platform.ratelimit.RateLimit;

/** How often one network registers clients, decides on them and asks for tokens; counted over all instances. */
@ApplicationScoped
class OAuthLimits {
    static final int REGISTRATIONS_PER_HOUR = 60;
    private static final int DECISIONS_PER_MINUTE = 30;
    private static final int TOKENS_PER_MINUTE = 120;
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    /** These calls belong to no project. */
    private static final UUID NONE = new UUID(0, 0);

    private final RateLimit registrations;
    private final RateLimit decisions;
    private final RateLimit tokens;
    private final CallerAddress addresses;

    OAuthLimits(RedisAPI redis, Clock clock, MeterRegistry metrics, CallerAddress addresses) {
        this.registrations = new RateLimit(
                redis,
                new RateLimit.Rule("oauth.register", REGISTRATIONS_PER_HOUR, Duration.ofHours(1)),
                clock,
                metrics);
        this.decisions = new RateLimit(
                redis, new RateLimit.Rule("oauth.decide", DECISIONS_PER_MINUTE, Duration.ofMinutes(1)), clock, metrics);
        this.tokens = new RateLimit(
                redis, new RateLimit.Rule("oauth.token", TOKENS_PER_MINUTE, Duration.ofMinutes(1)), clock, metrics);
        this.addresses = addresses;
    }

    void countRegistration(RoutingContext context) {
        count(registrations, context);
    }

    void countDecision(RoutingContext context) {
        count(decisions, context);
    }

    void countToken(RoutingContext context) {
        count(tokens, context);
    }

    /** @throws OAuthError of status 429 */
    private void count(RateLimit limit, RoutingContext context) {
        String network = addresses
                .of(
                        Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                        context.request().headers().getAll(FORWARDED_FOR))
                .map(CallerAddress::network)
                .orElse("unknown");
        if (!limit.count(NONE, network).allowed()) {
            throw OAuthError.tooMany("Too many requests of this kind come from this address. Try again later.");
        }
    }
}
