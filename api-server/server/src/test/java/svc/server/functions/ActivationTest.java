package svc.server.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.server.testing.Patience.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusMock;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.mutiny.redis.client.RedisAPI;
import io.vertx.mutiny.redis.client.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.crds.function.ScaleSpec;
import svc.functions.MonotonicClock;
import svc.server.testing.ProjectForTests;
import svc.server.testing.TestingPlatform;
import svc.testing.Http;

/** Processes start with the first call, scale up under load, and stop when idle. */
@QuarkusTest
@QuarkusTestResource(TestingPlatform.class)
@Timeout(120)
class ActivationTest {
    private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

    @Inject
    KubernetesClient client;

    @Inject
    RedisAPI redis;

    private final ProjectForTests project = ProjectForTests.create("activation");

    private CompletableFuture<Http.Answer> call(FunctionForTests function, String name) {
        return CompletableFuture.supplyAsync(() -> function.http().get("/functions/v1/" + name), THREADS);
    }

    @Test
    void theFirstCallStartsAProcessAndWaitsForIt() {
        try (var function = FunctionForTests.create(client, project, "cold")) {
            List<CompletableFuture<Http.Answer>> calls =
                    IntStream.range(0, 3).mapToObj(i -> call(function, "cold")).toList();
            function.awaitReplicas(1);
            function.listen(request -> request.response().end("warm"));
            function.tell(1);
            calls.forEach(answer -> assertThat(answer.join().text()).isEqualTo("warm"));
        }
    }

    @Test
    void asManyWaitAsFitAndNoLongerThanItHelps() {
        try (var function = FunctionForTests.create(client, project, "never")) {
            List<CompletableFuture<Http.Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                calls.add(call(function, "never"));
            }
            List<Integer> statuses = calls.stream()
                    .map(answer -> answer.join().status())
                    .sorted()
                    .toList();
            assertThat(statuses).containsExactly(503, 503, 504, 504, 504, 504, 504);
            Http.Answer late = calls.stream()
                    .map(CompletableFuture::join)
                    .filter(answer -> answer.status() == 504)
                    .findFirst()
                    .orElseThrow();
            assertThat(late.json().get("code").asText()).isEqualTo("BOOT_TIMEOUT");
            assertThat(late.header("access-control-allow-origin")).hasValue("*");
            assertThat(late.header("x-relay-error")).hasValue("true");
        }
    }

    @Test
    void aFunctionThatDoesNotStartSaysSoAtOnce() {
        try (var function = FunctionForTests.create(client, project, "broken")) {
            client.resource(function.resource()).editStatus(found -> {
                found.setStatus(found.getStatus().toBuilder()
                        .conditions(found.conditions()
                                .markFalse("Available", "DoesNotStart", "exit code 1")
                                .at(java.time.Instant.now()))
                        .build());
                return found;
            });
            await().until(() -> function.http().get("/functions/v1/broken").status() == 503);
            assertThat(function.http().get("/functions/v1/broken").text()).contains("exit code 1");
        }
    }

    @Test
    void aFunctionWhoseCodeIsNotBundledYetSaysSoAtOnce() {
        try (var function = FunctionForTests.create(client, project, "unbundled")) {
            client.resource(function.resource()).editStatus(found -> {
                found.setStatus(found.getStatus().toBuilder()
                        .hash(null)
                        .version(null)
                        .conditions(found.conditions()
                                .markUnknown("BundleReady", "BundlePending", "not bundled yet")
                                .markUnknown("Available", "BundlePending", "see BundleReady")
                                .at(java.time.Instant.now()))
                        .build());
                return found;
            });
            await().until(() -> function.http().get("/functions/v1/unbundled").status() == 503);
            assertThat(function.http().get("/functions/v1/unbundled").text()).contains("not bundled yet");
        }
    }

    @Test
    void manyCallsAtOnceStartOneMore() {
        List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
        try (var function = FunctionForTests.create(client, project, "busy", true, new ScaleSpec(0, 2, 300))
                .serving(held::add)) {
            List<CompletableFuture<Http.Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                calls.add(call(function, "busy"));
            }
            function.awaitReplicas(2);
            await().until(() -> held.size() == 6);
            held.forEach(request -> request.response().end("ok"));
            calls.forEach(answer -> assertThat(answer.join().text()).isEqualTo("ok"));
        }
    }

    @Test
    void afterItsIdleTimeNoProcessRunsAndNoCallIsCut() {
        var passed = new MovableTime();
        QuarkusMock.installMockForType(passed, MonotonicClock.class);
        var held = new CompletableFuture<HttpServerRequest>();
        try (var function = FunctionForTests.create(client, project, "idle", true, new ScaleSpec(0, 1, 10))
                .serving(held::complete)) {
            var call = call(function, "idle");
            HttpServerRequest request = held.join();
            // Longer than the idle time: a call in progress is not idle.
            passed.by(Duration.ofSeconds(11));
            passed.awaitLooks();
            forgetLastCalls();
            passed.awaitLooks();
            assertThat(function.replicas()).isEqualTo(1);
            request.response().end("late");
            assertThat(call.join().text()).isEqualTo("late");

            passed.awaitLooks();
            passed.by(Duration.ofSeconds(11));
            passed.awaitLooks();
            assertThat(function.replicas())
                    .as("another instance was called: Redis knows until the idle time is over")
                    .isEqualTo(1);
            forgetLastCalls();
            function.awaitReplicas(0);
        }
    }

    /** Redis expires the key by itself within the idle time. */
    private void forgetLastCalls() {
        for (Response key : redis.keys(project.identity().projectId() + ":functions:*:warm:10")
                .await()
                .indefinitely()) {
            assertThat(redis.pttl(key.toString()).await().indefinitely().toLong())
                    .isBetween(1L, 10_000L);
            redis.del(List.of(key.toString())).await().indefinitely();
        }
    }

    /** A clock that the test moves, and that counts its reads: each check of an idle function reads it. */
    private static final class MovableTime extends MonotonicClock {
        private final AtomicLong ahead = new AtomicLong();
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public long nanos() {
            asked.incrementAndGet();
            return super.nanos() + ahead.get();
        }

        void by(Duration time) {
            ahead.addAndGet(time.toNanos());
        }

        /** Waits until the scale-down check has run twice more. */
        void awaitLooks() {
            int before = asked.get();
            await().pollInterval(Duration.ofMillis(10)).until(() -> asked.get() >= before + 6);
        }
    }
}
