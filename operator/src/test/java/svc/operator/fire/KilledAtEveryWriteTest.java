package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import svc.crds.function.EdgeFunction;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.operator.function.TestingFunctions;
import svc.operator.testing.ProcessFault;
import svc.operator.testing.ProcessFault.Side;
import svc.operator.testing.TestingOperator;

/**
 * Promise: an operator killed on either side of any write to the Kubernetes API leaves nothing that the next one does not
 * finish; an Event may be missing, which is a hint only. What it does in the database between two writes is one
 * transaction; where that is cut is tested by {@code CrashBetweenStepsTest}.
 *
 * <p>Each death happens in a namespace of its own; one operator comes after all of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledAtEveryWriteTest {
    private static final String NAME = "shop";

    private final TestingOperator survivor = TestingOperator.prepared()
            .with("svc.operator.termination-timeout", "0s")
            // One that is killed tries nothing again.
            .with("svc.operator.retry.initial", "1h")
            .with("svc.operator.retry.max", "1h");

    private int provisioning;
    private int rollout;
    private int deletion;

    @BeforeAll
    void countWrites() {
        ProcessFault fault = ProcessFault.lives();
        survivor.start(fault);
        provision(survivor);
        survivor.ready(NAME);
        provisioning = fault.writes();
        var functions = new TestingFunctions(survivor);
        functions.create(NAME, NAME, "hello", TestingFunctions.FIRST);
        functions.await(NAME, KilledAtEveryWriteTest::isSeen);
        rollout = fault.writes() - provisioning;
        functions.delete(NAME);
        survivor.create("gone", spec -> spec.deletionPolicy(DeletionPolicy.DELETE));
        survivor.ready("gone");
        int before = fault.writes();
        survivor.at("gone").delete();
        survivor.awaitGone("gone");
        deletion = fault.writes() - before;
        survivor.stop();
        assertThat(provisioning).as("finalizer, Secret, Event, status").isGreaterThanOrEqualTo(4);
        assertThat(rollout)
                .as("Secret, Service, NetworkPolicy, Deployment, status")
                .isGreaterThanOrEqualTo(5);
        assertThat(deletion).as("Event, finalizer").isGreaterThanOrEqualTo(2);
    }

    @AfterAll
    void close() {
        survivor.close();
    }

    @Test
    void whileProvisioning() {
        List<TestingOperator> dead =
                everyDeath(provisioning, List.of(), one -> provision(one), one -> () -> isReady(one));

        afterAll(
                dead,
                () -> dead.forEach(one -> {
                    Project project = one.ready(NAME);
                    assertThat(text(secret(one), "SVC_ANON_KEY"))
                            .isEqualTo(project.getStatus().anonKey());
                    assertThat(one.query(
                                    "SELECT count(*) FROM svc_platform.project WHERE companion_version > 0 AND namespace = '"
                                            + one.namespace() + "'"))
                            .isEqualTo("1");
                }));
    }

    @Test
    void whileRollingOut() {
        List<TestingOperator> converged = converged(rollout);

        List<TestingOperator> dead = everyDeath(
                rollout,
                converged,
                one -> new TestingFunctions(one).create(NAME, NAME, "hello", TestingFunctions.FIRST),
                one -> () -> isSeen(one.client()
                        .resources(EdgeFunction.class)
                        .inNamespace(one.namespace())
                        .withName(NAME)
                        .get()));

        afterAll(
                dead,
                () -> dead.forEach(one -> {
                    var functions = new TestingFunctions(one);
                    functions.running(NAME, TestingFunctions.FIRST);
                    functions.await(NAME, KilledAtEveryWriteTest::isSeen);
                    functions.started(NAME);
                    functions.await(NAME, EdgeFunction::isReady);
                    assertThat(functions.environment(NAME)).containsKey("SVC_SERVICE_ROLE_KEY");
                }));
    }

    @Test
    void whileDeleting() {
        List<TestingOperator> converged = converged(deletion);

        List<TestingOperator> dead =
                everyDeath(deletion, converged, one -> one.at(NAME).delete(), one -> () -> one.get(NAME) == null);

        afterAll(
                dead,
                () -> dead.forEach(one -> {
                    one.awaitGone(NAME);
                    assertThat(one.query("SELECT count(*) FROM svc_platform.project JOIN pg_namespace"
                                    + " ON nspname = 'proj_' || replace(project_id::text, '-', '')"
                                    + " WHERE namespace = '" + one.namespace() + "'"))
                            .isEqualTo("0");
                    Awaitility.await("the Secret goes with its owner")
                            .atMost(TestingOperator.LIMIT)
                            .until(() -> secret(one) == null);
                }));
    }

    /** For each death of so many writes, a namespace with a project that is converged. */
    private List<TestingOperator> converged(int writes) {
        List<TestingOperator> all = new ArrayList<>();
        for (int i = 0; i < writes * Side.values().length; i++) {
            all.add(survivor.neighbour());
        }
        all.forEach(KilledAtEveryWriteTest::provision);
        afterAll(all, () -> all.forEach(one -> one.ready(NAME)));
        return all;
    }

    /** Lets an operator die around each write while it does the work, unless the work is done with fewer writes. */
    private List<TestingOperator> everyDeath(
            int writes,
            List<TestingOperator> converged,
            Consumer<TestingOperator> work,
            java.util.function.Function<TestingOperator, BooleanSupplier> done) {
        List<TestingOperator> dead = new ArrayList<>();
        for (int write = 1; write <= writes; write++) {
            for (Side side : Side.values()) {
                TestingOperator one = converged.isEmpty() ? survivor.neighbour() : converged.get(dead.size());
                ProcessFault fault = ProcessFault.killedAt(write, side);
                one.start(fault);
                work.accept(one);
                fault.awaitDeathOr(done.apply(one));
                one.stop();
                dead.add(one);
            }
        }
        return dead;
    }

    /** One living operator reconciles all of their namespaces. */
    private void afterAll(List<TestingOperator> all, Runnable check) {
        survivor.with(
                "svc.operator.watch-namespaces",
                all.stream().map(TestingOperator::namespace).collect(Collectors.joining(",")));
        survivor.start();
        try {
            check.run();
        } finally {
            survivor.stop();
        }
    }

    private static void provision(TestingOperator one) {
        one.create(NAME, spec -> spec.keysSecret("keys").deletionPolicy(DeletionPolicy.DELETE));
    }

    private static boolean isReady(TestingOperator one) {
        return one.get(NAME).isReady();
    }

    private static Secret secret(TestingOperator one) {
        return one.client()
                .secrets()
                .inNamespace(one.namespace())
                .withName("keys")
                .get();
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    private static boolean isSeen(EdgeFunction function) {
        return function.getStatus() != null && function.getStatus().observedGeneration() != null;
    }
}
