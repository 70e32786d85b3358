package svc.operator.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.crds.project.Project;
import svc.operator.testing.OperatorAccount;
import svc.operator.testing.ProcessFault;
import svc.operator.testing.TestingApi;
import svc.operator.testing.TestingOperator;

/**
 * Promise: of two replicas only the leader reconciles, and the other one takes over after the leader stops, is killed, or hangs
 * and resumes later. No project is provisioned twice, none is left out.
 */
class LeaderHandOverTest {
    private static final String ELECTION = "svc.operator.leader-election.";
    private static final String LEASE_DURATION = ELECTION + "lease-duration";
    private static final String LEASES = OperatorAccount.NAMESPACE;
    private static final List<String> NAMES =
            IntStream.range(0, 20).mapToObj(number -> "shop-" + number).toList();

    private final String lease = "svc-operator-" + UUID.randomUUID();
    private TestingOperator first;
    private TestingOperator second;

    @BeforeEach
    void make() {
        TestingApi.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(LEASES)
                        .endMetadata()
                        .build())
                .serverSideApply();
        first = TestingOperator.prepared()
                .with("svc.operator.leader-election.enabled", "true")
                .with("svc.operator.leader-election.lease-name", lease)
                .with("svc.operator.leader-election.lease-namespace", LEASES)
                .with("svc.operator.leader-election.retry-period", "0.1s")
                .with("svc.operator.termination-timeout", "0s");
        second = first.replica();
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        lease().delete();
    }

    @Test
    void aLeaderThatEndsIsFollowedAtOnce() {
        renewedWithinHours(first);
        renewedWithinHours(second);
        first.start();
        awaitLeader();
        String before = holder();
        second.start();
        NAMES.forEach(first::create);
        awaitFirstReady();

        first.stop();

        Awaitility.await("another leader")
                .atMost(TestingOperator.LIMIT)
                .until(() -> !holder().isEmpty() && !holder().equals(before));
        awaitAllWhole();
        Awaitility.await("the new leader's first look")
                .atMost(TestingOperator.LIMIT)
                .until(() -> !second.observations().isEmpty());
    }

    @Test
    void oneThatFollowedEndsWhenItLosesTheLeaseBeforeTheElectorRenews() {
        renewedWithinHours(first);
        renewedWithinHours(second);
        first.start();
        awaitLeader();
        String before = holder();
        second.start();
        first.stop();
        Awaitility.await("another leader")
                .atMost(TestingOperator.LIMIT)
                .until(() -> !holder().isEmpty() && !holder().equals(before));
        second.create("led");
        second.ready("led");

        lease().edit(held -> {
            held.getSpec().setHolderIdentity("a-third-replica");
            return held;
        });

        Awaitility.await("the end of the second").atMost(TestingOperator.LIMIT).until(() -> !second.isRunning());
        assertThat(holder()).isEqualTo("a-third-replica");
    }

    @Test
    void oneThatOnlyWaitedEndsAndLeavesTheLeaseAlone() {
        first.start();
        awaitLeader();
        String leader = holder();
        second.start();

        second.stop();

        assertThat(holder()).isEqualTo(leader);
        first.create("after");
        first.ready("after");
    }

    @Test
    void aLeaderThatIsKilledIsFollowedWhenItsLeaseIsOver() {
        ProcessFault fault = ProcessFault.killedAt(30, ProcessFault.Side.BEFORE);
        first.start(fault);
        awaitLeader();
        second.start();
        NAMES.forEach(first::create);
        fault.awaitDeath();
        assertThat(second.observations()).isEmpty();

        letTheLeaseRunOut();

        awaitAllWhole();
    }

    @Test
    void aLeaderThatSleptDoesNoHarmWhenItWakes() {
        ProcessFault fault = ProcessFault.lives();
        first.start(fault);
        awaitLeader();
        second.start();
        NAMES.forEach(first::create);
        awaitFirstReady();
        fault.fallAsleep();

        letTheLeaseRunOut();
        awaitAllWhole();
        fault.wakeUp();

        String leader = holder();
        awaitAllWhole();
        assertThat(holder()).isEqualTo(leader);
        second.create("after");
        second.ready("after");
    }

    /** The test does not wait for hours: an unreleased lease cannot be acquired within it, and the elector tries once. */
    private static void renewedWithinHours(TestingOperator operator) {
        operator.with(LEASE_DURATION, "4h")
                .with(ELECTION + "renew-deadline", "3h")
                .with(ELECTION + "renew-period", "1h");
    }

    private void awaitLeader() {
        Awaitility.await("a leader").atMost(TestingOperator.LIMIT).until(() -> lease().get() != null);
    }

    private void awaitFirstReady() {
        Awaitility.await("the first projects")
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> ready() > 0);
    }

    /** Moves the renew time of the lease into the past instead of waiting for its expiry. */
    private void letTheLeaseRunOut() {
        String before = holder();
        Awaitility.await("another leader")
                .atMost(TestingOperator.LIMIT)
                .pollInterval(Duration.ofMillis(50))
                // The leader, or a candidate, writes it as well.
                .ignoreExceptionsMatching(LeaderHandOverTest::isConflict)
                .until(() -> {
                    if (holder().equals(before)) {
                        lease().edit(held -> {
                            // It is read again here: another may hold it by now, whose lease must last.
                            if (before.equals(held.getSpec().getHolderIdentity())) {
                                held.getSpec()
                                        .setRenewTime(
                                                held.getSpec().getRenewTime().minusMinutes(1));
                            }
                            return held;
                        });
                    }
                    return !holder().equals(before);
                });
    }

    private static boolean isConflict(Throwable refused) {
        return refused instanceof KubernetesClientException e && e.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    private void awaitAllWhole() {
        NAMES.forEach(second::ready);
        assertThat(second.query(
                        "SELECT count(*) FROM svc_platform.project WHERE companion_version > 0 AND name LIKE 'shop-%'"))
                .isEqualTo(String.valueOf(NAMES.size()));
        assertThat(second.query("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^proj_[0-9a-f]{32}$'"))
                .isEqualTo(String.valueOf(NAMES.size()));
    }

    private long ready() {
        return first.client().resources(Project.class).inNamespace(first.namespace()).list().getItems().stream()
                .filter(Project::isReady)
                .count();
    }

    private String holder() {
        return lease().get().getSpec().getHolderIdentity();
    }

    private Resource<Lease> lease() {
        return TestingApi.client().leases().inNamespace(LEASES).withName(lease);
    }
}
