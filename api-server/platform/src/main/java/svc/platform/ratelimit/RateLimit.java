package svc.platform.ratelimit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/**
 * Counts calls of a project in a sliding window: over all instances, as SPEC 4.3 rule 5 wants it of SQL, and over this
 * instance alone while Redis is unreachable. Never fails a call because it cannot count.
 *
 * <p>This instance also counts while Redis is reachable: otherwise a Redis that becomes unreachable, or is slow once,
 * would give a second window to a caller that has used up the first.
 */
public final class RateLimit {
    private static final Logger LOG = Logger.getLogger(RateLimit.class);

    private static final Duration REDIS_TIMEOUT = Duration.ofMillis(500);

    /** While Redis is unreachable, one call per this time tries it again. */
    private static final Duration AWAY = Duration.ofSeconds(2);

    /**
     * What is limited.
     *
     * @param name part of the keys in Redis and of the metric {@code svc.<name>.rate.local}: {@code sql}
     * @param limit times in a window, where a call names no other limit
     */
    public record Rule(String name, int limit, Duration window) {}

    private final Rule rule;
    private final RedisWindow shared;
    private final LocalWindow local;
    private final Clock clock;
    private final Counter countedHere;
    private volatile Instant askAgain = Instant.MIN;

    public RateLimit(RedisAPI redis, Rule rule, Clock clock, MeterRegistry metrics) {
        this.rule = rule;
        this.shared = new RedisWindow(redis, rule, REDIS_TIMEOUT);
        this.local = new LocalWindow(rule.window());
        this.clock = clock;
        this.countedHere = Counter.builder("svc." + rule.name() + ".rate.local")
                .description("Calls that this instance counted alone because Redis was unreachable")
                .register(metrics);
    }

    /** Counts one call of a project, if it may go on; blocks for half a second at most. */
    public RateDecision count(UUID projectId) {
        return count(projectId, "");
    }

    /**
     * The same for a part of what a project does.
     *
     * @param subject whose calls are counted together, an address for example; any text
     */
    public RateDecision count(UUID projectId, String subject) {
        return count(projectId, subject, rule.limit());
    }

    /**
     * The same with a limit of the project's own.
     *
     * @param limit times in a window; 0 lets nothing through
     */
    public RateDecision count(UUID projectId, String subject, int limit) {
        return countSoon(projectId, subject, limit).join();
    }

    /** The same for a caller that must not wait. Does not fail. */
    public CompletableFuture<RateDecision> countSoon(UUID projectId, String subject, int limit) {
        if (limit <= 0) {
            return CompletableFuture.completedFuture(new RateDecision(false, 0, 0, rule.window()));
        }
        RateDecision here = local.count(projectId, subject, limit);
        Instant again = askAgain;
        if (clock.instant().isBefore(again)) {
            countedHere.increment();
            return CompletableFuture.completedFuture(here);
        }
        if (!here.allowed()) {
            return CompletableFuture.completedFuture(here);
        }
        return shared.count(projectId, subject, limit).handle((everywhere, failure) -> {
            if (failure != null) {
                away(again, failure);
                countedHere.increment();
                return here;
            }
            if (!again.equals(Instant.MIN)) {
                askAgain = Instant.MIN;
                LOG.infof("Redis is reachable: counting %s calls over all instances again", rule.name());
            }
            if (!everywhere.allowed()) {
                local.takeBack(projectId, subject);
            }
            return everywhere.remaining() <= here.remaining() ? everywhere : here;
        });
    }

    private void away(Instant again, Throwable failure) {
        if (again.equals(Instant.MIN)) {
            LOG.warnf("Redis is unreachable: counting %s calls in this instance alone (%s)", rule.name(), failure);
        }
        askAgain = clock.instant().plus(AWAY);
    }

    /** Resets a subject's count: what it was counted for did not happen. */
    public void forget(UUID projectId, String subject) {
        local.forget(projectId, subject);
        try {
            shared.forget(projectId, subject);
        } catch (RuntimeException e) {
            LOG.debugf("Redis is unreachable: a count of %s stays until its window ends", rule.name());
        }
    }
}
