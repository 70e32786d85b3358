package svc.storage;

import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Decides which instance does periodic work for a project. Without Redis each does: the work must be idempotent. */
final class InstanceTurns {
    private static final Logger LOG = Logger.getLogger(InstanceTurns.class);
    private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);

    private final RedisAPI redis;

    InstanceTurns(RedisAPI redis) {
        this.redis = redis;
    }

    /**
     * Whether this instance is the one.
     *
     * @param work part of the key, of our own
     * @param interval between two turns of a project, over all instances
     */
    boolean isTurn(UUID projectId, String work, Duration interval) {
        try {
            return redis.set(List.of(
                                    projectId + ":storage:" + work,
                                    "1",
                                    "NX",
                                    "PX",
                                    Long.toString(interval.toMillis() / 2)))
                            .await()
                            .atMost(REDIS_TIMEOUT)
                    != null;
        } catch (RuntimeException e) {
            LOG.debugf(e, "Redis does not say who does the %s of project %s", work, projectId);
            return true;
        }
    }
}
