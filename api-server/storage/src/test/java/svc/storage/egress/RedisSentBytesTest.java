package svc.storage.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import java.time.YearMonth;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.embedded.redis.EmbeddedRedis;

/** The sums of a month are one for all instances, of one project each, and end by themselves. */
class RedisSentBytesTest {
    private static final YearMonth MONTH = YearMonth.of(2026, 11);
    private static final UUID PROJECT = UUID.randomUUID();

    private Vertx vertx;
    private EmbeddedRedis redis;
    private RedisAPI api;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        redis = EmbeddedRedis.forTests();
        api = client();
    }

    private RedisAPI client() {
        return new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, redis.url())));
    }

    @AfterEach
    void stop() {
        redis.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void instancesAddUpByProjectAndMonth() {
        var here = new RedisSentBytes(api);
        var there = new RedisSentBytes(client());
        assertThat(here.add(PROJECT, MONTH, 0)).isZero();
        assertThat(here.add(PROJECT, MONTH, 5_000_000_000L)).isEqualTo(5_000_000_000L);
        assertThat(there.add(PROJECT, MONTH, 7)).isEqualTo(5_000_000_007L);
        assertThat(there.add(PROJECT, MONTH.plusMonths(1), 1)).isEqualTo(1);
        assertThat(there.add(UUID.randomUUID(), MONTH, 2)).isEqualTo(2);
    }

    @Test
    void everyKeyBeginsWithItsProjectAndExpires() {
        new RedisSentBytes(api).add(PROJECT, MONTH, 1);
        String key = PROJECT + ":storage:egress:2026-11";
        assertThat(api.ttl(key).await().indefinitely().toLong()).isBetween(40L * 86_400, 70L * 86_400);
    }

    @Test
    void withoutRedisItFails() {
        var sums = new RedisSentBytes(api);
        redis.close();
        assertThatThrownBy(() -> sums.add(PROJECT, MONTH, 1)).isInstanceOf(RuntimeException.class);
    }
}
