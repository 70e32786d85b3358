package svc.functions;

import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/**
 * Tells all instances that a function was called: a key in Redis that lives as long as its processes should after the last
 * call. Nobody compares clocks. Blocks.
 */
@ApplicationScoped
class LastCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final RedisAPI redis;

    LastCalls(RedisAPI redis) {
        this.redis = redis;
    }

    /** @throws RuntimeException when Redis does not answer in time */
    void called(FunctionRoute route, Duration stillWarm) {
        redis.set(List.of(key(route), "1", "PX", Long.toString(Math.max(1, stillWarm.toMillis()))))
                .await()
                .atMost(TIMEOUT);
    }

    /**
     * Whether some instance was called within the function's idle time.
     *
     * @throws RuntimeException when Redis does not answer in time
     */
    boolean isWarm(FunctionRoute route) {
        return redis.exists(List.of(key(route))).await().atMost(TIMEOUT).toInteger() > 0;
    }

    /**
     * Begins with the project's id, and the name is hashed (DESIGN §4, rule 8). With the idle time: what was said under
     * another one says nothing.
     */
    private static String key(FunctionRoute route) {
        return route.projectId() + ":functions:" + HexFormat.of().formatHex(sha256(route.name())) + ":warm:"
                + route.scale().idleSeconds();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
