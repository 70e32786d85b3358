package svc.operator.assembly;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires the lease soon after its leader released it. The SDK's elector has one period for both of its tasks: a leader would renew
 * as often as a candidate has to try, and renewals would be most of what an operator at rest does. So the elector works with
 * the period of renewals, and this reads the lease more often until the elector has seen this replica as its holder. It ends
 * then: from that moment the elector renews.
 */
final class LeaseSuccession {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseSuccession.class);

    private final KubernetesClient client;
    private final Supplier<Lease> lease;
    private final String identity;
    private final Times times;
    private final Outcome outcome;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("lease-succession").unstarted(this::run);
    private long acquired;
    private boolean holds;

    /**
     * @param lease how long a lease lasts after its renewal
     * @param deadline how long the elector may take to renew a lease that was acquired here
     * @param period between two reads
     */
    record Times(Duration lease, Duration deadline, Duration period) {}

    /** Called once each at most, on the thread of the succession. */
    interface Outcome {
        /** This replica holds the lease and may reconcile, before the elector knows. */
        void acquired();

        /** It held the lease and holds it no more. */
        void lost();
    }

    /** @param lease reads it; null if there is none */
    LeaseSuccession(KubernetesClient client, Supplier<Lease> lease, String identity, Times times, Outcome outcome) {
        this.client = client;
        this.lease = lease;
        this.identity = identity;
        this.times = times;
        this.outcome = outcome;
    }

    void start() {
        thread.start();
    }

    /** The elector leads, or the replica stops. */
    void end() {
        ended.countDown();
    }

    /** Blocks until nothing is written any more, or for the time that a request may take. */
    void awaitEnd() {
        try {
            thread.join(times.deadline());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!ended.await(times.period().toMillis(), TimeUnit.MILLISECONDS)) {
                if (!look()) {
                    outcome.lost();
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return false when a lease that was acquired here is lost */
    private boolean look() {
        try {
            Lease now = lease.get();
            if (holds) {
                return isOwn(now);
            }
            // A lease that does not exist yet is the elector's to make.
            if (now != null && !isOwn(now) && isFree(now.getSpec())) {
                acquire(now);
            }
        } catch (KubernetesClientException e) {
            // The elector warns of the same.
            LOG.debug("The lease could not be read or acquired", e);
        }
        return !holds || System.nanoTime() - acquired < times.deadline().toNanos();
    }

    private void acquire(Lease free) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        LeaseSpec spec = free.getSpec();
        spec.setHolderIdentity(identity);
        spec.setLeaseDurationSeconds(Math.toIntExact(times.lease().toSeconds()));
        spec.setAcquireTime(now);
        spec.setRenewTime(now);
        spec.setLeaseTransitions(spec.getLeaseTransitions() == null ? 1 : spec.getLeaseTransitions() + 1);
        long begun = System.nanoTime();
        // Refused if another replica, or the elector, was faster.
        client.resource(free).lockResourceVersion().update();
        acquired = begun;
        holds = true;
        outcome.acquired();
    }

    private boolean isOwn(Lease lease) {
        return lease != null
                && lease.getSpec() != null
                && identity.equals(lease.getSpec().getHolderIdentity());
    }

    /** As the elector judges it. */
    private boolean isFree(LeaseSpec spec) {
        return spec != null
                && (spec.getHolderIdentity() == null
                        || spec.getHolderIdentity().isEmpty()
                        || spec.getRenewTime() == null
                        || ZonedDateTime.now(ZoneOffset.UTC)
                                .isAfter(spec.getRenewTime().plus(times.lease())));
    }
}
