package svc.operator.function;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.operator.function.TestingFunctions.FIRST;
import static svc.operator.function.TestingFunctions.SECOND;
import static svc.operator.function.TestingFunctions.because;
import static svc.operator.function.TestingFunctions.condition;
import static svc.operator.function.TestingFunctions.secretBecause;
import static svc.operator.function.TestingFunctions.withHash;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import svc.crds.function.EdgeFunction;
import svc.crds.project.service.FunctionsSpec;
import svc.crds.secret.FunctionSecret;
import svc.operator.testing.TestingOperator;
import svc.operator.testing.UnreliableApi;

/**
 * Promise: a function that does not start, and a secret that waits for it, cost no request to the Kubernetes API while
 * nothing changes. What changes is seen by watch: the drift interval here is longer than a test waits.
 */
class FunctionsThatNeverStartTest {
    private static final int FUNCTIONS = 200;
    private static final Duration WINDOW = Duration.ofSeconds(15);

    /**
     * One per second, for all functions together, and one for each value that is missing: after a minute its next look is a
     * minute later, and sooner on a machine where the test came here faster.
     */
    private static final int MAX_REQUESTS = (int) WINDOW.toSeconds() + FUNCTIONS / 10;

    private static final UnreliableApi REQUESTS = new UnreliableApi();

    private static TestingOperator operator;
    private static TestingFunctions functions;

    @BeforeAll
    static void start() {
        operator = TestingOperator.prepared()
                .with("svc.operator.drift-interval", "5m")
                .start(REQUESTS);
        functions = new TestingFunctions(operator);
        operator.create("shop", spec -> spec.functions(new FunctionsSpec(null, 1_000, null, null, null)));
        operator.ready("shop");
    }

    @AfterAll
    static void stop() {
        operator.close();
        REQUESTS.close();
    }

    @Test
    void theyAreNotPolled() throws InterruptedException {
        IntStream.range(0, FUNCTIONS).mapToObj(number -> "still-" + number).forEach(name -> {
            functions.create(name, "shop", name, FIRST);
            if (name.endsWith("0")) {
                functions.value(name + "-value", "v", Map.of());
                functions.secret(name, "shop", name, "WORD", name + "-value");
            }
            if (name.endsWith("1")) {
                // No Secret of that name comes.
                functions.secret(name, "shop", name, "WORD", name + "-value");
            }
        });
        Awaitility.await("all wait for their processes")
                .atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> waiting() == FUNCTIONS && secretsRollingOut() == FUNCTIONS / 10);
        crash("still-5");
        functions.await("still-5", because("DoesNotStart"));
        awaitRest();

        int before = REQUESTS.requests();
        Thread.sleep(WINDOW.toMillis());

        assertThat(REQUESTS.requests() - before).isLessThanOrEqualTo(MAX_REQUESTS);
    }

    @Test
    void aBrokenOneThatIsMendedIsReadyByWatch() {
        functions.create("broken", "shop", "broken", FIRST);
        functions.running("broken", FIRST);
        Pod pod = crash("broken");
        EdgeFunction broken = functions.await("broken", because("DoesNotStart"));
        assertThat(condition(broken, "Available").message()).contains("exit code 1, Error");

        functions.edit("broken", spec -> withHash(spec, SECOND));
        functions.running("broken", SECOND);
        functions.await("broken", because("RollingOut"));
        operator.client().resource(pod).delete();

        assertThat(functions.served("broken").getStatus().hash()).isEqualTo(SECOND);
    }

    @Test
    void itsNextAttemptIsNotANewFailure() {
        functions.create("loops", "shop", "loops", FIRST);
        functions.running("loops", FIRST);
        Pod pod = crash("loops");
        EdgeFunction waits = functions.await("loops", because("DoesNotStart"));

        // Between two attempts it waits with a reason, and during one it does not.
        restarts(pod, 9, false);

        functions.create("after", "shop", "after", FIRST);
        functions.await("after", because("RollingOut"));
        assertThat(functions.await("loops", because("DoesNotStart")).getStatus())
                .isEqualTo(waits.getStatus());
    }

    @Test
    void aSecretIsAppliedByWatch() {
        functions.create("watched", "shop", "watched", FIRST);
        functions.served("watched");
        functions.value("watched-value", "v", Map.of());
        functions.secret("watched", "shop", "watched", "WORD", "watched-value");
        functions.deployment(
                "watched", found -> "v".equals(functions.environment("watched").get("WORD")));
        functions.awaitSecret("watched", secretBecause("Applied", "RollingOut"));

        functions.served("watched");

        Awaitility.await("its process has the value")
                .atMost(TestingOperator.LIMIT)
                .until(() -> {
                    functions.started("watched");
                    return functions.awaitSecret("watched", found -> true).isReady();
                });
    }

    /** Until two seconds pass without a request: what led here is over. */
    private static void awaitRest() {
        Awaitility.await("rest")
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    int before = REQUESTS.requests();
                    Thread.sleep(2_000);
                    return REQUESTS.requests() - before <= 2;
                });
    }

    private static long waiting() {
        return operator
                .client()
                .resources(EdgeFunction.class)
                .inNamespace(operator.namespace())
                .list()
                .getItems()
                .stream()
                .filter(function -> function.getMetadata().getName().startsWith("still-"))
                .filter(because("RollingOut"))
                .count();
    }

    private static long secretsRollingOut() {
        return operator
                .client()
                .resources(FunctionSecret.class)
                .inNamespace(operator.namespace())
                .list()
                .getItems()
                .stream()
                .filter(secret -> secret.getMetadata().getName().startsWith("still-"))
                .filter(secretBecause("Applied", "RollingOut"))
                .count();
    }

    private static Pod crash(String resource) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(operator.namespace())
                .withName("fn-" + resource + "-0")
                .withLabels(Map.of("svc.platform/function", "fn-" + resource))
                .withAnnotations(Map.of("svc.platform/bundle-hash", FIRST))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("function")
                .withImage("svc/function-runtime:0.1.0")
                .endContainer()
                .endSpec()
                .build();
        operator.client().resource(pod).create();
        restarts(pod, 4, true);
        return pod;
    }

    private static void restarts(Pod pod, int count, boolean waiting) {
        var container = new ContainerStatusBuilder()
                .withName("function")
                .withReady(false)
                .withRestartCount(count)
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(1)
                .withReason("Error")
                .endTerminated()
                .endLastState();
        var statuses = List.of((waiting
                        ? container
                                .withNewState()
                                .withNewWaiting()
                                .withReason("CrashLoopBackOff")
                                .endWaiting()
                                .endState()
                        : container.withNewState().withNewRunning().endRunning().endState())
                .build());
        operator.client()
                .resource(pod)
                .editStatus(found -> new PodBuilder(found)
                        .editOrNewStatus()
                        .withContainerStatuses(statuses)
                        .endStatus()
                        .build());
    }
}
