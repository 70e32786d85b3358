package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.because;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import svc.crds.condition.Conditions;
import svc.crds.secret.FunctionSecretCondition;
import svc.operator.function.TestingFunctions;
import svc.operator.testing.TestingOperator;

/**
 * Promise: an operator that stops deletes nothing and reports nothing because its caches close. A reconciliation in progress
 * ends first; one that takes too long finds out that the caches are closed. No cache begins with an outdated list.
 */
class StoppingOperatorTest {
    private final TestingOperator operator = TestingOperator.prepared();
    private final TestingFunctions functions = new TestingFunctions(operator);

    @AfterEach
    void close() {
        operator.close();
    }

    /** @param terminationTimeout with none, the caches are closed while the reconciliation goes on */
    @ParameterizedTest
    @ValueSource(strings = {"25s", "0s"})
    void aFunctionThatIsReconciledMeanwhileKeepsItsProcesses(String terminationTimeout) throws Exception {
        operator.with("svc.operator.termination-timeout", terminationTimeout).start();
        operator.create("shop");
        operator.ready("shop");
        functions.create("hello", "shop", "hello", FIRST);
        functions.served("hello");
        operator.stop();
        String before = deployment().getMetadata().getUid();
        var held = new HeldFunctions();
        operator.startWith(held::around);
        held.awaitReading();

        operator.stopReconciling();

        held.awaitEnd();
        assertThat(deployment()).isNotNull();
        assertThat(deployment().getMetadata().getUid()).isEqualTo(before);
        assertThat(functions.await("hello", function -> true))
                .matches(because("ProjectNotFound").negate());
    }

    @Test
    void aSecretThatIsReconciledMeanwhileStaysApplied() throws Exception {
        var held = new HeldRead("/secrets/word");
        operator.start(held);
        operator.create("shop");
        operator.ready("shop");
        functions.create("hello", "shop", "hello", FIRST);
        functions.value("word", "v", Map.of());
        functions.secret("word", "shop", "hello", "WORD", "word");
        functions.served("hello");
        functions.awaitSecret("word", secret -> {
            functions.started("hello");
            return secret.isReady();
        });
        held.hold();

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(operator::stopReconciling);
        Thread.sleep(HeldFunctions.CLOSING.toMillis());
        held.goOn();
        stopped.get(TestingOperator.LIMIT.toSeconds(), TimeUnit.SECONDS);

        assertThat(Conditions.in(
                        functions
                                .awaitSecret("word", secret -> true)
                                .getStatus()
                                .conditions(),
                        FunctionSecretCondition.APPLIED))
                .hasValueSatisfying(applied ->
                        assertThat(applied.isTrue()).as(applied.toString()).isTrue());
    }

    /** An API server behind others answers a list at version 0 from what it has, which may be minutes old. */
    @Test
    void aCacheBeginsWithACurrentList() {
        var recorder = new Lists();
        operator.create("shop");

        operator.start(recorder);

        operator.ready("shop");
        assertThat(recorder.queries).hasSizeGreaterThan(10).noneMatch(query -> query.contains("resourceVersion=0"));
    }

    private Deployment deployment() {
        return operator.client()
                .apps()
                .deployments()
                .inNamespace(operator.namespace())
                .withName("fn-hello")
                .get();
    }

    /** The queries of lists that informers begin with. */
    private static final class Lists implements Interceptor {
        private final List<String> queries = new CopyOnWriteArrayList<>();

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            String query = request.uri().getQuery();
            if (request.method().equals("GET") && query != null && !query.contains("watch=true")) {
                queries.add(query);
            }
        }
    }

    /** Holds a read of one object. */
    private static final class HeldRead implements Interceptor {
        private final String path;
        private final CountDownLatch reading = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile boolean holding;

        HeldRead(String path) {
            this.path = path;
        }

        /** Returns when the next read is held. */
        void hold() throws InterruptedException {
            holding = true;
            assertThat(reading.await(TestingOperator.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        void goOn() {
            released.countDown();
        }

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (holding && request.uri().getPath().endsWith(path)) {
                reading.countDown();
                try {
                    released.await(Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
