package svc.management.query;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import svc.management.PlatformPassword;
import svc.platform.budget.BudgetMetrics;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.ratelimit.RateLimit;
import svc.postgres.jdbc.PlatformDatabase;
import svc.postgres.script.OwnerSessions;
import svc.postgres.script.PlatformLogin;
import svc.postgres.script.RunLimits;

/** Builds the beans of the SQL endpoint from the configuration. */
@ApplicationScoped
class QueryParts {
    @Produces
    @Singleton
    OwnerSessions sessions(QueryConfig config, ApiConfig platform, PurposeRoots roots, MeterRegistry metrics) {
        var sessions = new OwnerSessions(
                RunLimits.defaults().withRows(config.rows()).withSessions(config.sessions()),
                new PlatformLogin(PlatformDatabase.LOGIN, () -> PlatformPassword.of(platform, roots)));
        BudgetMetrics.register(sessions.budget(), metrics);
        return sessions;
    }

    void close(@Disposes OwnerSessions sessions) {
        sessions.close();
    }

    @Produces
    @ApplicationScoped
    SqlQuota quota(QueryConfig config) {
        return new SqlQuota() {
            @Override
            public int perMinute() {
                return config.perMinute();
            }

            @Override
            public int migrationsPerMinute() {
                return config.migrationsPerMinute();
            }
        };
    }

    @Produces
    @Singleton
    RateLimit rateLimit(RedisAPI redis, QueryConfig config, Clock clock, MeterRegistry metrics) {
        return new RateLimit(
                redis, new RateLimit.Rule("sql", config.perMinute(), Duration.ofMinutes(1)), clock, metrics);
    }
}
