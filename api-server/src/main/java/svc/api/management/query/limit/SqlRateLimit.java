package svc.api.management.query.limit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Counts calls of the SQL endpoint: 30 a minute and project over all instances (SPEC 4.3 rule 5), and over this instance
 * alone while Redis is away. Never fails a call because it cannot count.
 */
public final class SqlRateLimit {
    private static final Logger LOG = Logger.getLogger(SqlRateLimit.class);

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** While Redis is away, only one call in so long waits for it. */
    private static final Duration AWAY = Duration.ofSeconds(2);

    private final RedisWindow shared;
    private final LocalWindow local;
    private final Clock clock;
    private final Counter countedHere;
    private volatile Instant askAgain = Instant.MIN;

    public SqlRateLimit(RedisAPI redis, int perMinute, Clock clock, MeterRegistry metrics) {
        this.shared = new RedisWindow(redis, perMinute, WINDOW, PATIENCE);
        this.local = new LocalWindow(perMinute, WINDOW, clock);
        this.clock = clock;
        this.countedHere = Counter.builder("svc.sql.rate.local")
                .description("SQL calls that this instance counted by itself because Redis was away")
                .register(metrics);
    }

    /** Counts one call of a project, if it may go on; blocks for half a second at most. */
    public RateDecision count(UUID projectId) {
        Instant again = askAgain;
        if (clock.instant().isBefore(again)) {
            return countHere(projectId);
        }
        try {
            RateDecision decision = shared.count(projectId);
            if (!again.equals(Instant.MIN)) {
                askAgain = Instant.MIN;
                LOG.info("Redis is back: SQL calls are counted over all instances again");
            }
            return decision;
        } catch (RuntimeException e) {
            if (again.equals(Instant.MIN)) {
                LOG.warnf("Redis is away: SQL calls are counted by this instance alone (%s)", e.toString());
            }
            askAgain = clock.instant().plus(AWAY);
            return countHere(projectId);
        }
    }

    private RateDecision countHere(UUID projectId) {
        countedHere.increment();
        return local.count(projectId);
    }
}
