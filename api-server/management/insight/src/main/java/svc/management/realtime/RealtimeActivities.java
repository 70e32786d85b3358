package svc.management.realtime;

import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.platform.realtime.ActivityScript;
import svc.platform.realtime.RealtimeActivity;

/** What clients of projects have open in the processes of the data plane, as these report it to Redis. */
@ApplicationScoped
class RealtimeActivities {
    private static final Logger LOG = Logger.getLogger(RealtimeActivities.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final RedisAPI redis;

    RealtimeActivities(RedisAPI redis) {
        this.redis = redis;
    }

    /** Of all processes; empty while Redis does not answer. Blocks for a second at most. */
    Optional<RealtimeActivity> of(UUID projectId) {
        try {
            return Optional.of(ActivityScript.sum(redis.eval(ActivityScript.read(projectId))
                    .await()
                    .atMost(TIMEOUT)
                    .getDelegate()));
        } catch (RuntimeException e) {
            LOG.debugf(e, "Redis does not say what is open of project %s", projectId);
            return Optional.empty();
        }
    }
}
