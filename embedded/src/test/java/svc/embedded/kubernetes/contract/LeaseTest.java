package svc.embedded.kubernetes.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static svc.embedded.kubernetes.HttpApi.copy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectorBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import svc.embedded.kubernetes.HttpApi.Reply;
import svc.embedded.kubernetes.TestApi;

/** Leases: leader election by optimistic locking. */
class LeaseTest extends ContractTest {
    @Test
    void oneOfTwoHoldersWins() throws Exception {
        String leases = inNamespace("/apis/coordination.k8s.io/v1", "leases");
        Reply created = http.post(leases, """
                {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: leader},
                 spec: {holderIdentity: a, leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z'}}""");
        assertThat(created.code()).isEqualTo(201);
        ObjectNode mine = copy(created.body());
        ObjectNode theirs = copy(created.body());
        mine.withObject("/spec").put("holderIdentity", "b");
        theirs.withObject("/spec").put("holderIdentity", "c");
        assertThat(http.put(leases + "/leader", mine).code()).isEqualTo(200);
        assertThat(http.put(leases + "/leader", theirs).code()).isEqualTo(409);
        assertThat(http.get(leases + "/leader")
                        .body()
                        .at("/spec/holderIdentity")
                        .asText())
                .isEqualTo("b");
        assertThat(http.get(leases + "/leader").body().at("/spec/renewTime").asText())
                .isEqualTo("2026-01-01T00:00:00.000000Z");
    }

    @Test
    void aReleasedLeaseGoesToTheNextElector() throws Exception {
        var leader = new AtomicReference<>("");
        try (KubernetesClient client = api.client(namespace);
                var executor = Executors.newCachedThreadPool()) {
            CompletableFuture<?> first =
                    elector(client, executor, "first", leader).start();
            TestApi.await("the first leads", () -> leader.get().equals("first"));
            CompletableFuture<?> second =
                    elector(client, executor, "second", leader).start();
            first.cancel(true);
            TestApi.await("the second leads", () -> leader.get().equals("second"));
            second.cancel(true);
            executor.shutdown();
            assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private LeaderElector elector(
            KubernetesClient client, Executor executor, String identity, AtomicReference<String> leader) {
        return new LeaderElectorBuilder(client, executor)
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(identity)
                        .withLeaseDuration(Duration.ofSeconds(10))
                        .withRenewDeadline(Duration.ofSeconds(5))
                        .withRetryPeriod(Duration.ofMillis(200))
                        .withReleaseOnCancel(true)
                        .withLock(new LeaseLock(namespace, "election", identity))
                        .withLeaderCallbacks(new LeaderCallbacks(() -> leader.set(identity), () -> {}, next -> {}))
                        .build())
                .build();
    }
}
