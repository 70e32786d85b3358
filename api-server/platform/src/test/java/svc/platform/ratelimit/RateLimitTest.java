package svc.platform.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.microprofile.context.spi.ContextManagerProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;

/** Thirty calls a minute and project, however many instances count them, and also when nothing counts for all. */
@Timeout(60)
class RateLimitTest {
    private static Vertx vertx;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static RedisAPI api(String url) {
        return new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, url)));
    }

    private static RateLimit instance(String url, SimpleMeterRegistry metrics) {
        return new RateLimit(
                api(url), new RateLimit.Rule("sql", 30, Duration.ofMinutes(1)), Clock.systemUTC(), metrics);
    }

    /** A Quarkus application does this at its start; left to the first calls, two at once would trip over each other. */
    @BeforeAll
    static void prepareContexts() {
        ContextManagerProvider.instance();
    }

    /** One that Redis has answered once: a first connection on a busy machine may take longer than a call may wait. */
    private static RateLimit connected(String url, SimpleMeterRegistry metrics) throws InterruptedException {
        RateLimit instance = instance(url, metrics);
        double before;
        do {
            before = metrics.counter("svc.sql.rate.local").count();
            instance.count(UUID.randomUUID());
            Thread.sleep(50);
        } while (metrics.counter("svc.sql.rate.local").count() > before);
        return instance;
    }

    @Test
    void countsOverAllInstances() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.forTests();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var metrics = new SimpleMeterRegistry();
            RateLimit one = connected(redis.url(), metrics);
            RateLimit two = connected(redis.url(), metrics);
            UUID project;
            List<RateDecision> decisions;
            double before;
            do {
                // On a busy machine Redis may answer a call too late, which its instance then counts alone.
                assertThat(countsInRedisAgain(one, metrics)).isTrue();
                assertThat(countsInRedisAgain(two, metrics)).isTrue();
                before = metrics.counter("svc.sql.rate.local").count();
                project = UUID.randomUUID();
                decisions = fiftyEach(threads, project, one, two);
            } while (metrics.counter("svc.sql.rate.local").count() > before);
            assertThat(decisions).filteredOn(RateDecision::allowed).hasSize(30);
            RateDecision refused = two.count(project);
            assertThat(refused.allowed()).isFalse();
            assertThat(refused.remaining()).isZero();
            assertThat(refused.reset()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
            assertThat(one.count(UUID.randomUUID()).remaining()).isEqualTo(29);
            assertThat(one.count(project, "another subject").remaining()).isEqualTo(29);
        }
    }

    private static List<RateDecision> fiftyEach(ExecutorService threads, UUID project, RateLimit... instances)
            throws Exception {
        List<Future<RateDecision>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            for (RateLimit instance : instances) {
                calls.add(threads.submit(() -> instance.count(project)));
            }
        }
        List<RateDecision> decisions = new ArrayList<>();
        for (Future<RateDecision> call : calls) {
            decisions.add(call.get());
        }
        return decisions;
    }

    @Test
    void countsOnEachInstanceWhileRedisIsAway() {
        var metrics = new SimpleMeterRegistry();
        RateLimit alone = instance("redis://127.0.0.1:1", metrics);
        UUID project = UUID.randomUUID();
        for (int i = 0; i < 30; i++) {
            assertThat(alone.count(project).allowed()).isTrue();
        }
        assertThat(alone.count(project).allowed()).isFalse();
        assertThat(metrics.counter("svc.sql.rate.local").count()).isEqualTo(31);
    }

    /** Redis is asked again after a while, and its first answer may come too late once more. */
    private static boolean countsInRedisAgain(RateLimit limit, SimpleMeterRegistry metrics)
            throws InterruptedException {
        for (int i = 0; i < 150; i++) {
            double before = metrics.counter("svc.sql.rate.local").count();
            limit.count(UUID.randomUUID());
            if (metrics.counter("svc.sql.rate.local").count() == before) {
                return true;
            }
            Thread.sleep(200);
        }
        return false;
    }

    @Test
    void countsForAllAgainWhenRedisIsBack() throws Exception {
        int port;
        try (EmbeddedRedis first = EmbeddedRedis.forTests()) {
            port = first.port();
        }
        var metrics = new SimpleMeterRegistry();
        RateLimit limit = instance("redis://127.0.0.1:" + port, metrics);
        UUID project = UUID.randomUUID();
        limit.count(project);
        assertThat(metrics.counter("svc.sql.rate.local").count()).isEqualTo(1);
        java.nio.file.Path folder = java.nio.file.Files.createTempDirectory("svc-redis-");
        try (EmbeddedRedis back = EmbeddedRedis.lasting(folder, port)) {
            assertThat(countsInRedisAgain(limit, metrics)).isTrue();
            double before = metrics.counter("svc.sql.rate.local").count();
            assertThat(limit.count(project).remaining()).isEqualTo(28);
            assertThat(metrics.counter("svc.sql.rate.local").count()).isEqualTo(before);
            RateLimit another = connected(back.url(), metrics);
            assertThat(another.count(project).remaining()).isEqualTo(28);
        }
    }

    @Test
    void aRedisThatGoesAwayIsNoSecondWindow() throws Exception {
        var metrics = new SimpleMeterRegistry();
        UUID project = UUID.randomUUID();
        RateLimit limit;
        try (EmbeddedRedis redis = EmbeddedRedis.forTests()) {
            limit = connected(redis.url(), metrics);
            assertThat(allowedOf(100, limit, project)).isEqualTo(30);
        }
        assertThat(allowedOf(100, limit, project)).isZero();
        assertThat(limit.count(UUID.randomUUID()).remaining()).isEqualTo(29);
        assertThat(metrics.counter("svc.sql.rate.local").count()).isPositive();
    }

    @Test
    void whatWasLetThroughWhileRedisDidNotAnswerStillCountsWhenItDoes() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.forTests()) {
            var metrics = new SimpleMeterRegistry();
            RateLimit limit = connected(redis.url(), metrics);
            UUID project = UUID.randomUUID();
            assertThat(allowedOf(10, limit, project)).isEqualTo(10);
            double before = metrics.counter("svc.sql.rate.local").count();

            api(redis.url()).client(List.of("PAUSE", "3000")).await().atMost(Duration.ofSeconds(60));
            assertThat(allowedOf(15, limit, project)).isEqualTo(15);
            assertThat(metrics.counter("svc.sql.rate.local").count()).isGreaterThan(before);

            assertThat(countsInRedisAgain(limit, metrics)).isTrue();
            assertThat(allowedOf(100, limit, project)).isEqualTo(5);
        }
    }

    @Test
    void whatAnotherInstanceLeftNoRoomForDoesNotCountHere() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.forTests()) {
            var metrics = new SimpleMeterRegistry();
            RateLimit one = connected(redis.url(), metrics);
            RateLimit two = connected(redis.url(), metrics);
            UUID project = UUID.randomUUID();
            assertThat(allowedOf(30, one, project)).isEqualTo(30);
            assertThat(allowedOf(100, two, project)).isZero();

            api(redis.url()).flushall(List.of()).await().atMost(Duration.ofSeconds(60));

            assertThat(allowedOf(100, two, project)).isEqualTo(30);
        }
    }

    private static int allowedOf(int calls, RateLimit limit, UUID project) {
        int allowed = 0;
        for (int i = 0; i < calls; i++) {
            allowed += limit.count(project).allowed() ? 1 : 0;
        }
        return allowed;
    }
}
