package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import svc.crds.function.EdgeFunction;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.operator.function.TestingFunctions;
import svc.operator.testing.Fate;
import svc.operator.testing.Fate.Side;
import svc.operator.testing.TestingOperator;

/**
 * Promise: an operator killed on either side of any write to the Kubernetes API leaves nothing that the next one does not
 * finish; an Event may be missing, which is a hint only. What it does in the database between two writes is one transaction; where that is cut is tested by {@code
 * CrashBetweenStepsTest}.
 */
@Tag("real-kubernetes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledAtEveryWriteTest {
    private final TestingOperator operator = TestingOperator.prepared()
            .with("svc.operator.termination-timeout", "0s")
            // One that is killed tries nothing again.
            .with("svc.operator.retry.initial", "1h")
            .with("svc.operator.retry.max", "1h");

    private final TestingFunctions functions = new TestingFunctions(operator);
    private int provisioning;
    private int rollout;
    private int deletion;

    @BeforeAll
    void countWrites() {
        Fate fate = Fate.lives();
        operator.start(fate);
        provision("host");
        operator.ready("host");
        provisioning = fate.writes();
        functions.create("whole", "host", "whole", TestingFunctions.FIRST);
        functions.await("whole", KilledAtEveryWriteTest::isStarting);
        rollout = fate.writes() - provisioning;
        operator.stop();
        fate = Fate.lives();
        operator.start(fate);
        provision("gone");
        operator.ready("gone");
        int made = fate.writes();
        operator.at("gone").delete();
        operator.awaitGone("gone");
        deletion = fate.writes() - made;
        operator.stop();
        assertThat(provisioning).as("finalizer, Secret, Event, status").isGreaterThanOrEqualTo(4);
        assertThat(rollout)
                .as("Secret, Service, NetworkPolicy, Deployment, status")
                .isGreaterThanOrEqualTo(5);
        assertThat(deletion).as("Event, finalizer").isGreaterThanOrEqualTo(1);
    }

    @AfterEach
    void stop() {
        operator.stop();
    }

    @AfterAll
    void close() {
        operator.close();
    }

    Stream<Arguments> whileProvisioning() {
        return everyDeath(provisioning);
    }

    @ParameterizedTest(name = "{1} write {0}")
    @MethodSource
    void whileProvisioning(int write, Side side) {
        String name = "made-" + write + side.name().toLowerCase(java.util.Locale.ROOT);
        Fate fate = Fate.killedAt(write, side);
        operator.start(fate);
        provision(name);
        fate.awaitDeathOr(() -> operator.get(name).isReady());
        operator.stop();

        operator.start();

        Project project = operator.ready(name);
        assertThat(secretKey(name)).isEqualTo(project.getStatus().anonKey());
        assertThat(operator.query("SELECT count(*) FROM svc_platform.project WHERE companion_version > 0 AND name = '"
                        + name + "'"))
                .isEqualTo("1");
    }

    Stream<Arguments> whileRollingOut() {
        return everyDeath(rollout);
    }

    @ParameterizedTest(name = "{1} write {0}")
    @MethodSource
    void whileRollingOut(int write, Side side) {
        String name = "run-" + write + side.name().toLowerCase(java.util.Locale.ROOT);
        Fate fate = Fate.killedAt(write, side);
        operator.start(fate);
        EdgeFunction function = functions.create(name, "host", name, TestingFunctions.FIRST);
        fate.awaitDeathOr(() -> isStarting(operator.client().resource(function).get()));
        operator.stop();

        operator.start();
        functions.running(name, TestingFunctions.FIRST);
        functions.await(name, KilledAtEveryWriteTest::isStarting);
        functions.started(name);

        functions.await(name, EdgeFunction::isReady);
        assertThat(functions.environment(name)).containsKey("SVC_SERVICE_ROLE_KEY");
    }

    Stream<Arguments> whileDeleting() {
        return everyDeath(deletion);
    }

    @ParameterizedTest(name = "{1} write {0}")
    @MethodSource
    void whileDeleting(int write, Side side) {
        String name = "gone-" + write + side.name().toLowerCase(java.util.Locale.ROOT);
        operator.start();
        provision(name);
        String schema = operator.ready(name).getStatus().schema();
        operator.stop();
        Fate fate = Fate.killedAt(write, side);
        operator.start(fate);
        operator.at(name).delete();
        fate.awaitDeathOr(() -> operator.get(name) == null);
        operator.stop();

        operator.start();

        operator.awaitGone(name);
        assertThat(operator.query("SELECT 1 FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isNull();
        Awaitility.await("the Secret goes with its owner")
                .atMost(TestingOperator.LIMIT)
                .until(() -> secret(name) == null);
    }

    private void provision(String name) {
        operator.create(name, spec -> spec.keysSecret(name + "-keys").deletionPolicy(DeletionPolicy.DELETE));
    }

    private Secret secret(String name) {
        return operator.client()
                .secrets()
                .inNamespace(operator.namespace())
                .withName(name + "-keys")
                .get();
    }

    private String secretKey(String name) {
        return new String(
                Base64.getDecoder().decode(secret(name).getData().get("SVC_ANON_KEY")), StandardCharsets.UTF_8);
    }

    private static boolean isStarting(EdgeFunction function) {
        return function.getStatus() != null && function.getStatus().observedGeneration() != null;
    }

    private static Stream<Arguments> everyDeath(int writes) {
        return IntStream.rangeClosed(1, writes)
                .boxed()
                .flatMap(write -> Arrays.stream(Side.values()).map(side -> Arguments.of(write, side)));
    }
}
