package svc.platform.projectlog;

import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.mutiny.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches of lines on their way from every process to the control plane: a list in Redis of at most {@value #MAX_BATCHES}
 * batches, each a JSON array. A full list takes no more, so that its senders know whose lines are lost. Methods block for at
 * most two seconds and throw when Redis is unreachable.
 */
@ApplicationScoped
public class LogBuffer {
    private static final String KEY = "svc:project-logs";
    private static final int MAX_BATCHES = 512;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private static final String PUSH = """
            if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then
              return 0
            end
            redis.call('RPUSH', KEYS[1], ARGV[1])
            redis.call('EXPIRE', KEYS[1], ARGV[3])
            return 1
            """;

    private final RedisAPI redis;

    LogBuffer(RedisAPI redis) {
        this.redis = redis;
    }

    /** Appends a batch; false if there is no room. */
    boolean push(String batch) {
        Response pushed = redis.eval(List.of(
                        PUSH, "1", KEY, batch, Integer.toString(MAX_BATCHES), Long.toString(FORGOTTEN.toSeconds())))
                .await()
                .atMost(TIMEOUT);
        return pushed.toInteger() == 1;
    }

    /** Removes and returns the oldest batches. */
    public List<String> pop(int most) {
        Response popped =
                redis.lpop(List.of(KEY, Integer.toString(most))).await().atMost(TIMEOUT);
        List<String> batches = new ArrayList<>();
        if (popped != null) {
            popped.forEach(batch -> batches.add(batch.toString()));
        }
        return batches;
    }
}
