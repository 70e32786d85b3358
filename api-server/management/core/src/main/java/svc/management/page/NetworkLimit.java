package svc.management.page;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import svc.management.ratelimit.RateHeaders;
import svc.platform.clientip.CallerAddress;
import svc.platform.ratelimit.RateDecision;
import svc.platform.ratelimit.RateLimit;

/** How often one network sends what needs no token; counted over all instances. */
public final class NetworkLimit {
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    private static final String UNKNOWN = "unknown";

    /** These calls belong to no project. */
    private static final UUID NONE = new UUID(0, 0);

    private final RateLimit limit;
    private final CallerAddress addresses;

    private NetworkLimit(RateLimit limit, CallerAddress addresses) {
        this.limit = limit;
        this.addresses = addresses;
    }

    /** Makes limits. */
    @ApplicationScoped
    public static class Factory {
        private final RedisAPI redis;
        private final Clock clock;
        private final MeterRegistry metrics;
        private final CallerAddress addresses;

        Factory(RedisAPI redis, Clock clock, MeterRegistry metrics, CallerAddress addresses) {
            this.redis = redis;
            this.clock = clock;
            this.metrics = metrics;
            this.addresses = addresses;
        }

        public NetworkLimit of(RateLimit.Rule rule) {
            return new NetworkLimit(new RateLimit(redis, rule, clock, metrics), addresses);
        }
    }

    /** Counts a request, and says in its answer how many are left. */
    public RateDecision count(RoutingContext context) {
        RateDecision decision =
                limit.count(NONE, caller(context).map(CallerAddress::network).orElse(UNKNOWN));
        RateHeaders.write(context, decision);
        return decision;
    }

    /** Where a request comes from, see {@link CallerAddress#site}: for what its caller leaves behind. */
    public String site(RoutingContext context) {
        return caller(context).map(CallerAddress::site).orElse(UNKNOWN);
    }

    private Optional<String> caller(RoutingContext context) {
        return addresses.of(
                Optional.ofNullable(context.request().remoteAddress()).map(SocketAddress::hostAddress),
                context.request().headers().getAll(FORWARDED_FOR));
    }
}
