package svc.functions.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.redis.client.Redis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.microprofile.context.spi.ContextManagerProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.embedded.redis.EmbeddedRedis;
import svc.functions.log.LogLine.Event;
import svc.functions.log.LogLine.Level;

/** All instances share the last lines of a function, within the limits. */
@Timeout(60)
class FunctionLogTest {
    private static Vertx vertx;
    private static EmbeddedRedis server;
    private static RedisAPI redis;
    private static FunctionLog log;

    private final UUID project = UUID.randomUUID();

    @BeforeAll
    static void start() {
        ContextManagerProvider.instance();
        vertx = Vertx.vertx();
        server = EmbeddedRedis.forTests();
        redis = client(server.url());
        // A first connection on a busy machine may take longer than a call may wait.
        redis.ping(List.of()).await().atMost(Duration.ofSeconds(60));
        log = new FunctionLog(redis);
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        server.close();
    }

    private static RedisAPI client(String url) {
        return new RedisAPI(io.vertx.redis.client.RedisAPI.api(Redis.createClient(vertx, url)));
    }

    private static LogLine line(String message) {
        return new LogLine(Instant.parse("2026-01-02T03:04:05Z"), Level.INFO, Event.LOG, Optional.of("r1"), message);
    }

    private List<String> messages(String function) {
        return log.read(project, function, Optional.empty(), 5_000).stream()
                .map(LogLine::message)
                .toList();
    }

    @Test
    void readsBackWhatWasKeptInItsOrder() {
        log.append(project, "hello", List.of(line("one"), line("two é\n")));
        LogLine boot = new LogLine(Instant.EPOCH, Level.ERROR, Event.BOOT, Optional.empty(), "");
        log.append(project, "hello", List.of(boot));
        List<LogLine> lines = log.read(project, "hello", Optional.empty(), 10);
        assertThat(lines).extracting(LogLine::message).containsExactly("one", "two é\n", "");
        assertThat(lines.getFirst())
                .usingRecursiveComparison()
                .ignoringFields("id")
                .isEqualTo(line("one"));
        assertThat(lines.getLast())
                .usingRecursiveComparison()
                .ignoringFields("id")
                .isEqualTo(boot);
        assertThat(log.read(project, "hello", Optional.empty(), 1))
                .extracting(LogLine::message)
                .containsExactly("");
        assertThat(log.read(project, "hello", Optional.of(Instant.now().plusSeconds(60)), 10))
                .isEmpty();
        log.delete(project, "hello");
        assertThat(messages("hello")).isEmpty();
    }

    @Test
    void functionsAndProjectsDoNotMix() {
        log.append(project, "a", List.of(line("a")));
        log.append(project, "A", List.of(line("A")));
        log.append(UUID.randomUUID(), "a", List.of(line("other")));
        assertThat(messages("a")).containsExactly("a");
        assertThat(messages("A")).containsExactly("A");
    }

    @Test
    void keepsAThousandLines() {
        for (int batch = 0; batch < 3; batch++) {
            int first = batch * 500;
            log.append(
                    project,
                    "many",
                    IntStream.range(first, first + 500)
                            .mapToObj(i -> line("line " + i))
                            .toList());
        }
        assertThat(messages("many")).hasSize(1_000).startsWith("line 500").endsWith("line 1499");
    }

    @Test
    void keepsAMebibyte() {
        String big = "x".repeat(LogLine.MAX_MESSAGE_LENGTH + 1);
        for (int i = 0; i < 30; i++) {
            log.append(
                    project,
                    "big",
                    IntStream.range(0, 10).mapToObj(n -> line(big)).toList());
        }
        assertThat(messages("big"))
                .hasSizeBetween(64, 128)
                .allMatch(text -> text.length() == LogLine.MAX_MESSAGE_LENGTH);
    }

    @Test
    void isForgottenAWeekAfterItsLastLine() {
        log.append(project, "old", List.of(line("one")));
        String key = new LogKey(project, "old").text();
        assertThat(key).startsWith(project + ":functions:").endsWith(":log");
        assertThat(redis.ttl(key).await().indefinitely().toLong()).isBetween(604_790L, 604_800L);
    }

    @Test
    void followsFromTheLineThatWasSeenLast() {
        log.append(project, "live", List.of(line("one"), line("two")));
        List<LogLine> first = log.follow(project, "live", "", 1, Duration.ZERO);
        assertThat(first).extracting(LogLine::message).containsExactly("one");
        List<LogLine> second = log.follow(project, "live", first.getLast().id(), 10, Duration.ZERO);
        assertThat(second).extracting(LogLine::message).containsExactly("two");
        String last = second.getLast().id();
        assertThat(log.follow(project, "live", last, 10, Duration.ofMillis(10))).isEmpty();
        CompletableFuture<List<LogLine>> waiting =
                CompletableFuture.supplyAsync(() -> log.follow(project, "live", last, 10, Duration.ofSeconds(30)));
        log.append(project, "live", List.of(line("three")));
        assertThat(waiting.join()).extracting(LogLine::message).containsExactly("three");
    }

    @Test
    void saysWhenRedisIsAway() {
        var away = new FunctionLog(client("redis://127.0.0.1:1"));
        assertThatExceptionOfType(LogUnavailableException.class)
                .isThrownBy(() -> away.append(project, "hello", List.of(line("one"))));
        assertThatExceptionOfType(LogUnavailableException.class)
                .isThrownBy(() -> away.read(project, "hello", Optional.empty(), 1));
    }
}
