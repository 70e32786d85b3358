package svc.platform.ratelimit;

import io.vertx.core.Future;
import io.vertx.mutiny.redis.client.RedisAPI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A sliding window in Redis, exact over all instances: each allowed call is one member of a sorted set, by the time of
 * Redis' own clock. One script does it all, so two instances can never both take the last place.
 */
final class RedisWindow {
    private static final String SCRIPT = """
            local now = redis.call('TIME')
            local at = now[1] * 1000 + math.floor(now[2] / 1000)
            local window = tonumber(ARGV[1])
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', at - window)
            local count = redis.call('ZCARD', KEYS[1])
            local allowed = 0
            if count < tonumber(ARGV[2]) then
              redis.call('ZADD', KEYS[1], at, ARGV[3])
              redis.call('PEXPIRE', KEYS[1], window)
              count = count + 1
              allowed = 1
            end
            local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
            return {allowed, count, tonumber(oldest[2]) + window - at}
            """;

    /** The client rejects requests beyond its pool; a burst must wait here instead of being counted locally. */
    private static final int MAX_CONCURRENT = 16;

    private final AsyncSemaphore permits = new AsyncSemaphore(MAX_CONCURRENT);
    private final RedisAPI redis;
    private final RateLimit.Rule rule;
    private final Duration timeout;

    /** @param timeout longest wait for Redis; without an answer by then it counts as unreachable */
    RedisWindow(RedisAPI redis, RateLimit.Rule rule, Duration timeout) {
        this.redis = redis;
        this.rule = rule;
        this.timeout = timeout;
    }

    /** Does not wait. Fails when Redis does not answer in time. */
    CompletableFuture<RateDecision> count(UUID projectId, String subject, int limit) {
        String key = key(projectId, subject);
        var decision = new CompletableFuture<RateDecision>().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        permits.acquire(
                decision,
                () -> ask(key, limit).onComplete(asked -> {
                    permits.release();
                    if (asked.succeeded()) {
                        decision.complete(asked.result());
                    } else {
                        decision.completeExceptionally(asked.cause());
                    }
                }));
        return decision;
    }

    /** @throws RuntimeException when Redis does not answer in time */
    void forget(UUID projectId, String subject) {
        redis.del(List.of(key(projectId, subject))).await().atMost(timeout);
    }

    private Future<RateDecision> ask(String key, int limit) {
        return redis.getDelegate()
                .eval(List.of(
                        SCRIPT,
                        "1",
                        key,
                        Long.toString(rule.window().toMillis()),
                        Integer.toString(limit),
                        UUID.randomUUID().toString()))
                .map(answer -> new RateDecision(
                        answer.get(0).toInteger() == 1,
                        limit,
                        Math.max(0, limit - answer.get(1).toInteger()),
                        Duration.ofMillis(answer.get(2).toLong())));
    }

    /** Begins with the project's id, like every key of ours; text of users enters hashed. */
    private String key(UUID projectId, String subject) {
        String whole = "svc:" + projectId + ":" + rule.name() + "-rate";
        return subject.isEmpty() ? whole : whole + ":" + hash(subject);
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
