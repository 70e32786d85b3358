package svc.operator.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import svc.operator.testing.OperatorAccount;
import svc.operator.testing.TestingApi;

/** Promise: a lease that a replica has followed its leader in stays renewed until the elector renews it, or the replica ends. */
class LeaseSuccessionTest {
    private static final String NAMESPACE = OperatorAccount.NAMESPACE;
    private static final String OWN = "this-replica";
    private static final LeaseSuccession.Times TIMES = new LeaseSuccession.Times(
            Duration.ofMinutes(1), Duration.ofSeconds(30), Duration.ofMillis(50), Duration.ofMillis(20));

    private final KubernetesClient client = TestingApi.client();
    private final String name = "succession-" + UUID.randomUUID();
    private final Recorded outcome = new Recorded();
    private LeaseSuccession succession = of(TIMES, this::read);

    @BeforeEach
    void makeReleasedLease() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("")
                        .withLeaseDurationSeconds(60)
                        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                        .endSpec()
                        .build())
                .create();
    }

    @AfterEach
    void end() {
        succession.end();
        lease().delete();
    }

    @Test
    void whatWasReleasedIsAcquiredAndRenewedUntilTheElectorRenews() throws Exception {
        succession.start();
        await(outcome.acquired);
        ZonedDateTime first = renewed();
        awaitUntil(() -> renewed().isAfter(first));

        ZonedDateTime later = ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(5);
        edit(held -> held.getSpec().setRenewTime(later));

        succession.end();
        assertThat(read().getSpec().getHolderIdentity()).isEqualTo(OWN);
        assertThat(outcome.lost).isNotDone();
    }

    @Test
    void oneThatStopsKeepsWhatItHoldsAndAcquiresNothing() throws Exception {
        succession.start();
        await(outcome.acquired);
        succession.stopWaiting();
        ZonedDateTime first = renewed();
        awaitUntil(() -> renewed().isAfter(first));

        var other = of(TIMES, this::read);
        other.stopWaiting();
        edit(held -> held.getSpec().setHolderIdentity(""));
        other.start();
        other.end();

        await(outcome.lost);
        assertThat(read().getSpec().getHolderIdentity()).isEmpty();
    }

    @Test
    void anotherHolderEndsIt() throws Exception {
        succession.start();
        await(outcome.acquired);

        edit(held -> held.getSpec().setHolderIdentity("another-replica"));

        await(outcome.lost);
        assertThat(read().getSpec().getHolderIdentity()).isEqualTo("another-replica");
    }

    /** The thread that reads waits for the API; another one keeps the deadline. */
    @Test
    void anApiThatDoesNotAnswerEndsItAtItsDeadline() throws Exception {
        var silence = new CompletableFuture<Lease>();
        Supplier<Lease> reads = () -> outcome.acquired.isDone() ? silence.join() : read();
        succession = of(
                new LeaseSuccession.Times(
                        Duration.ofMinutes(1), Duration.ofMillis(500), Duration.ofMillis(50), Duration.ofMillis(20)),
                reads);
        succession.start();
        await(outcome.acquired);

        await(outcome.lost);

        silence.completeExceptionally(new KubernetesClientException("the connection is gone"));
    }

    private LeaseSuccession of(LeaseSuccession.Times times, Supplier<Lease> reads) {
        return new LeaseSuccession(client, reads, OWN, times, outcome);
    }

    /** Beside the succession, which writes as well. */
    private void edit(Consumer<Lease> change) {
        Awaitility.await("the edit")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                .until(() -> lease().edit(held -> {
                            change.accept(held);
                            return held;
                        })
                        != null);
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
    }

    private static void await(CompletableFuture<Void> called)
            throws InterruptedException, ExecutionException, TimeoutException {
        called.get(30, TimeUnit.SECONDS);
    }

    private ZonedDateTime renewed() {
        return read().getSpec().getRenewTime();
    }

    private Lease read() {
        return lease().get();
    }

    private Resource<Lease> lease() {
        return client.leases().inNamespace(NAMESPACE).withName(name);
    }

    private static final class Recorded implements LeaseSuccession.Outcome {
        private final CompletableFuture<Void> acquired = new CompletableFuture<>();
        private final CompletableFuture<Void> lost = new CompletableFuture<>();

        @Override
        public void acquired() {
            acquired.complete(null);
        }

        @Override
        public void lost() {
            lost.complete(null);
        }
    }
}
