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
 * Acquires the lease soon after its leader released it. The SDK's elector has one period for both of its tasks: a leader would
 * renew as often as a candidate has to try, and renewals would be most of what an operator at rest does. So the elector works
 * with the period of renewals, and this reads the lease more often.
 *
 * <p>Hazard: the elector reports that it leads before it has renewed, and knows no deadline until it has. So what was acquired
 * here is renewed here, under the same deadline, until the lease shows a renewal of the elector.
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

    private volatile boolean stopping;
    private volatile boolean holds;

    /** When the last write that succeeded was begun, by {@link System#nanoTime}. */
    private volatile long renewed;

    /** What that write, or the elector's, made the time of renewal. */
    private ZonedDateTime written;

    /**
     * @param lease how long a lease lasts after its renewal
     * @param deadline how long a lease that was acquired here may stay without a renewal
     * @param renewal between two renewals
     * @param period between two reads
     */
    record Times(Duration lease, Duration deadline, Duration renewal, Duration period) {}

    /** Each is called once at most, on a thread of the succession. */
    interface Outcome {
        /** This replica holds the lease and may reconcile, whether the elector knows or not. */
        void acquired();

        /** It held the lease, and does not any more, or cannot renew it. */
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

    /** Nothing is acquired any more. A lease that is held stays renewed until {@link #end}. */
    void stopWaiting() {
        stopping = true;
    }

    /** Blocks until nothing is written any more, or for the time that a request may take. */
    void end() {
        ended.countDown();
        try {
            thread.join(times.deadline());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!ended.await(times.period().toMillis(), TimeUnit.MILLISECONDS)) {
                if (stopping && !holds) {
                    return;
                }
                if (!look()) {
                    ended.countDown();
                    outcome.lost();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return false when a lease that was held is another's */
    private boolean look() {
        try {
            Lease now = lease.get();
            // A lease that does not exist yet is the elector's to make.
            LeaseSpec spec = now == null ? null : now.getSpec();
            if (holds) {
                if (spec == null || !identity.equals(spec.getHolderIdentity())) {
                    return false;
                }
                keep(now);
                return true;
            }
            if (spec != null && (identity.equals(spec.getHolderIdentity()) || isFree(spec))) {
                acquire(now);
            }
        } catch (KubernetesClientException e) {
            // Another replica, or the elector, was faster; or the elector warns of the same.
            LOG.debug("The lease could not be read or written", e);
        }
        return true;
    }

    /** Renews it, until the elector has. */
    private void keep(Lease own) {
        if (own.getSpec().getRenewTime().isAfter(written)) {
            ended.countDown();
        } else if (System.nanoTime() - renewed >= times.renewal().toNanos()) {
            write(own);
        }
    }

    private void acquire(Lease free) {
        LeaseSpec spec = free.getSpec();
        if (!identity.equals(spec.getHolderIdentity())) {
            spec.setHolderIdentity(identity);
            spec.setLeaseDurationSeconds(Math.toIntExact(times.lease().toSeconds()));
            spec.setAcquireTime(now());
            spec.setLeaseTransitions(spec.getLeaseTransitions() == null ? 1 : spec.getLeaseTransitions() + 1);
        }
        write(free);
        holds = true;
        Thread.ofVirtual().name("lease-deadline").start(this::watchDeadline);
        if (System.nanoTime() - renewed < times.deadline().toNanos()) {
            outcome.acquired();
        }
    }

    /** Fails if the lease has changed since it was read. */
    private void write(Lease read) {
        ZonedDateTime now = now();
        long begun = System.nanoTime();
        read.getSpec().setRenewTime(now);
        client.resource(read).lockResourceVersion().update();
        written = now;
        renewed = begun;
    }

    /** Beside the thread that reads, which may wait for an API that does not answer. */
    private void watchDeadline() {
        try {
            long left;
            do {
                left = times.deadline().toNanos() - (System.nanoTime() - renewed);
            } while (left > 0 && !ended.await(left, TimeUnit.NANOSECONDS));
            if (left <= 0) {
                ended.countDown();
                outcome.lost();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As the elector judges it. */
    private boolean isFree(LeaseSpec spec) {
        return spec.getHolderIdentity() == null
                || spec.getHolderIdentity().isEmpty()
                || spec.getRenewTime() == null
                || now().isAfter(spec.getRenewTime().plus(times.lease()));
    }

    private static ZonedDateTime now() {
        return ZonedDateTime.now(ZoneOffset.UTC);
    }
}
