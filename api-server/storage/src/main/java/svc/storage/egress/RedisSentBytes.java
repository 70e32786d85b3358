package svc.storage.egress;

import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.UUID;

/** Keeps the sums in Redis. Sums that Redis loses start at zero again. */
public final class RedisSentBytes implements SentBytes {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** Longer than a month: the last one can still be asked for. */
    private static final Duration KEPT = Duration.ofDays(70);

    /** In one step: a sum without an end would stay for ever. */
    private static final String ADD =
            "local sum = redis.call('INCRBY', KEYS[1], ARGV[1]) redis.call('EXPIRE', KEYS[1], ARGV[2]) return sum";

    private final RedisAPI redis;

    public RedisSentBytes(RedisAPI redis) {
        this.redis = redis;
    }

    @Override
    public long add(UUID projectId, YearMonth month, long bytes) {
        String key = projectId + ":storage:egress:" + month;
        return redis.eval(List.of(ADD, "1", key, Long.toString(bytes), Long.toString(KEPT.toSeconds())))
                .await()
                .atMost(TIMEOUT)
                .toLong();
    }
}
