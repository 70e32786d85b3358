package svc.api.management.query;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import svc.api.db.PlatformDatabase;
import svc.api.db.owner.OwnerSessions;
import svc.api.db.owner.PlatformLogin;
import svc.api.db.owner.RunLimits;
import svc.api.limit.RateLimit;
import svc.api.management.PlatformPassword;
import svc.api.runtime.ApiConfig;
import svc.api.runtime.PurposeRoots;

/** Makes the parts of the SQL endpoint from the configuration. */
@ApplicationScoped
class QueryParts {
    @Produces
    @Singleton
    OwnerSessions sessions(QueryConfig config, ApiConfig platform, PurposeRoots roots) {
        return new OwnerSessions(
                RunLimits.defaults().withRows(config.rows()),
                new PlatformLogin(PlatformDatabase.LOGIN, () -> PlatformPassword.of(platform, roots)));
    }

    void close(@Disposes OwnerSessions sessions) {
        sessions.close();
    }

    @Produces
    @Singleton
    RateLimit rateLimit(RedisAPI redis, QueryConfig config, Clock clock, MeterRegistry metrics) {
        return new RateLimit(
                redis, new RateLimit.Rule("sql", config.perMinute(), Duration.ofMinutes(1)), clock, metrics);
    }
}
