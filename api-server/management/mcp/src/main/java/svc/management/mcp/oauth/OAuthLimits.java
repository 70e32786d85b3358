package svc.management.mcp.oauth;

import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import svc.management.page.NetworkLimit;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;

/** How often one network registers clients, decides on them and asks for tokens; counted over all instances. */
@ApplicationScoped
class OAuthLimits {
    static final int REGISTRATIONS_PER_HOUR = 60;
    private static final int DECISIONS_PER_MINUTE = 30;
    private static final int TOKENS_PER_MINUTE = 120;

    private final NetworkLimit registrations;
    private final NetworkLimit decisions;
    private final NetworkLimit tokens;

    OAuthLimits(NetworkLimit.Factory limits) {
        this.registrations =
                limits.of(new RateLimit.Rule("oauth.register", REGISTRATIONS_PER_HOUR, Duration.ofHours(1)));
        this.decisions = limits.of(new RateLimit.Rule("oauth.decide", DECISIONS_PER_MINUTE, Duration.ofMinutes(1)));
        this.tokens = limits.of(new RateLimit.Rule("oauth.token", TOKENS_PER_MINUTE, Duration.ofMinutes(1)));
    }

    /**
     * @return where the client registers from
     * @throws OAuthError of status 429
     */
    String countRegistration(RoutingContext context) {
        count(registrations, context);
        return registrations.site(context);
    }

    void countDecision(RoutingContext context) {
        count(decisions, context);
    }

    void countToken(RoutingContext context) {
        count(tokens, context);
    }

    /** @throws OAuthError of status 429 */
    private static void count(NetworkLimit limit, RoutingContext context) {
        RateDecision decision = limit.count(context);
        if (!decision.allowed()) {
            throw OAuthError.tooMany(
                    "Too many requests of this kind come from this address. Try again later.",
                    Duration.ofSeconds(decision.resetSeconds()));
        }
    }
}
