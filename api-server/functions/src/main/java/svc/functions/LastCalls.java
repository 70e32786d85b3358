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
 * Tells all instances that a function was called: a Redis key that expires when its processes may stop. No clocks are
 * compared. Blocks.
 */
@ApplicationScoped
class LastCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final RedisAPI redis;

    LastCalls(RedisAPI redis) {
        this.redis = redis;
    }

    /** @throws RuntimeException if Redis does not respond in time */
    void called(FunctionRoute route, Duration stillWarm) {
        redis.set(List.of(key(route), "1", "PX", Long.toString(Math.max(1, stillWarm.toMillis()))))
                .await()
                .atMost(TIMEOUT);
    }

    /**
     * Whether any instance was called within the function's idle time.
     *
     * @throws RuntimeException if Redis does not respond in time
     */
    boolean isWarm(FunctionRoute route) {
        return redis.exists(List.of(key(route))).await().atMost(TIMEOUT).toInteger() > 0;
    }

    /**
     * Begins with the project's id; the name is hashed (DESIGN §4, rule 8). Contains the idle time: a mark under
     * another idle time must not count.
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
