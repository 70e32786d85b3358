package svc.storage.egress;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.redis.client.RedisAPI;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.UUID;

/** Keeps the sums in Redis. Sums that Redis loses begin anew. */
public final class RedisSentBytes implements SentBytes {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** Longer than a month: the last one can still be asked for. */
    private static final Duration KEPT = Duration.ofDays(70);

    private final RedisAPI redis;

    public RedisSentBytes(RedisAPI redis) {
        this.redis = redis;
    }

    @Override
    public long add(UUID projectId, YearMonth month, long bytes) {
        String key = projectId + ":storage:egress:" + month;
        return Uni.combine()
                .all()
                .unis(
                        redis.incrby(key, Long.toString(bytes)),
                        redis.expire(List.of(key, Long.toString(KEPT.toSeconds()))))
                .asTuple()
                .await()
                .atMost(TIMEOUT)
                .getItem1()
                .toLong();
    }
}
