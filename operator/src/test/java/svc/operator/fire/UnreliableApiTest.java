package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static svc.operator.testing.TestingOperator.has;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import svc.crds.condition.ConditionStatus;
import svc.crds.project.ProjectCondition;
import svc.operator.function.TestingFunctions;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.testing.StallingRelay;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.UnreliableApi;

/** Promise: a Kubernetes API that is slow, refuses, throttles or ends watches delays the operator and stops nothing. */
class UnreliableApiTest {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int GONE = 410;
    private static final int UNPROCESSABLE = 422;
    private static final List<String> NAMES =
            IntStream.range(0, 10).mapToObj(number -> "shop-" + number).toList();

    private final UnreliableApi api = new UnreliableApi();
    private final TestingOperator operator = TestingOperator.prepared();

    @AfterEach
    void stop() {
        operator.close();
        api.close();
    }

    @Test
    void everyThirdRequestIsThrottled() {
        var count = new AtomicInteger();
        api.answer(TOO_MANY_REQUESTS, request -> count.incrementAndGet() % 3 == 0);
        operator.start(api);

        NAMES.forEach(name -> operator.create(name, spec -> spec.keysSecret(name + "-keys")));

        NAMES.forEach(operator::ready);
        assertThat(api.failed()).isPositive();
        NAMES.forEach(name -> assertThat(operator.events(name)).doesNotContain("InternalError"));
    }

    @Test
    void everyRequestIsSlow() {
        operator.start(api);
        api.delay(150);

        NAMES.forEach(operator::create);

        NAMES.forEach(operator::ready);
    }

    /** A status that the API refuses for good is a reason that can be read, and is tried again more and more rarely. */
    @Test
    void aWriteThatIsRefusedForGoodIsNotRepeatedInALoop() throws InterruptedException {
        operator.with("svc.operator.retry.initial", "0.5s")
                .with("svc.operator.retry.max", "5m")
                .with("svc.operator.drift-interval", "5m")
                .start(api);
        operator.create("shop");
        operator.ready("shop");
        api.answer(
                UNPROCESSABLE,
                request -> request.method().equals("POST")
                        && request.uri().getPath().endsWith("/secrets"));

        operator.edit("shop", spec -> spec.keysSecret("keys"));

        operator.await("shop", has(ProjectCondition.KEYS_READY, ConditionStatus.FALSE, "KubernetesFailed"));
        operator.awaitEvent("shop", "KubernetesFailed");
        int before = api.failed();
        Thread.sleep(8_000);
        // 0.5, 1, 2 and 4 seconds apart.
        assertThat(api.failed() - before).isLessThanOrEqualTo(5);
        api.answerNothing();
        operator.edit("shop", spec -> spec.keysSecret("other-keys"));
        operator.ready("shop");
    }

    /** As after a compaction of etcd: what happened meanwhile is in no watch, and the next list has it. */
    @Test
    void watchesAreRefusedAsTooOld() throws Exception {
        operator.start(api);
        operator.create("before");
        operator.ready("before");
        operator.stop();
        api.answer(GONE, UnreliableApi::isWatch);
        CompletableFuture<Void> started = CompletableFuture.runAsync(() -> operator.start(api));
        operator.create("shop");
        Awaitility.await("refused watches").atMost(TestingOperator.LIMIT).until(() -> api.failed() >= 3);

        api.answerNothing();

        started.get(TestingOperator.LIMIT.toSeconds(), TimeUnit.SECONDS);
        operator.ready("shop");
        operator.edit("before", spec -> spec.keysSecret("before-keys"));
        operator.await(
                "before", project -> "before-keys".equals(project.getStatus().secretName()));
    }

    @Test
    void watchesAreTornWhileMuchChanges() throws IOException {
        assumeTrue(TestingApi.cluster().isOurs(), "the way to a cluster that others use is not ours");
        Config direct = TestingApi.cluster().operatorConfig();
        try (var relay = new StallingRelay(URI.create(direct.getMasterUrl()).getPort())) {
            operator.as(new ConfigBuilder(direct)
                            .withMasterUrl("https://127.0.0.1:" + relay.port())
                            .build())
                    .with("svc.operator.drift-interval", "5m")
                    .start(api);
            var functions = new TestingFunctions(operator);
            for (String name : NAMES) {
                operator.create(name);
                relay.cut();
                functions.create(name, name, "hello", TestingFunctions.FIRST);
                functions.value(name + "-value", "v", Map.of());
                functions.secret(name, name, "hello", "WORD", name + "-value");
                relay.cut();
            }
            NAMES.forEach(operator::ready);
            NAMES.forEach(functions::served);
            NAMES.forEach(name -> {
                functions.deployment(
                        name, found -> "v".equals(functions.environment(name).get("WORD")));
                relay.cut();
                Awaitility.await(name).atMost(TestingOperator.LIMIT).until(() -> {
                    functions.started(name);
                    return functions.awaitSecret(name, found -> true).isReady();
                });
            });
        }
    }

    /** With the rate limit of production. The last of many changes is the one that stays. */
    @Test
    void aFloodOfChangesIsReconciledAtARate() {
        int changes = 300;
        operator.with("svc.operator.rate-limit.limit", "5")
                .with("svc.operator.rate-limit.period", "2s")
                .with("svc.operator.drift-interval", "5m")
                .start(api);
        operator.create("shop");
        operator.ready("shop");
        long before = reconciled();
        long start = System.nanoTime();

        for (int i = 0; i < changes; i++) {
            operator.annotate("shop", "example.com/flood", String.valueOf(i));
        }
        operator.edit("shop", spec -> spec.keysSecret("keys"));

        operator.await("shop", project -> "keys".equals(project.getStatus().secretName()));
        long periods = Duration.ofNanos(System.nanoTime() - start).toSeconds() / 2 + 2;
        assertThat(reconciled() - before).isLessThanOrEqualTo(5 * periods).isLessThan(changes);
    }

    private long reconciled() {
        return operator.observations().stream()
                .filter(Reconciled.class::isInstance)
                .count();
    }
}
