package svc.api.management.query;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import svc.api.db.owner.OwnerSessions;
import svc.api.db.owner.RunLimits;
import svc.api.management.query.limit.SqlRateLimit;

/** Makes the parts of the SQL endpoint from the configuration. */
@ApplicationScoped
class QueryParts {
    @Produces
    @Singleton
    OwnerSessions sessions(QueryConfig config) {
        return new OwnerSessions(RunLimits.defaults().withTime(config.time()).withRows(config.rows()));
    }

    void close(@Disposes OwnerSessions sessions) {
        sessions.close();
    }

    @Produces
    @Singleton
    SqlRateLimit rateLimit(RedisAPI redis, QueryConfig config, Clock clock, MeterRegistry metrics) {
        return new SqlRateLimit(redis, config.perMinute(), clock, metrics);
    }
}
