package svc.operator.assembly;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import svc.operator.config.OperatorConfig.LeaderElectionConfig;

/**
 * Leader election of one replica. The SDK acquires and renews the lease, {@link LeaseSuccession} acquires one that was
 * released; this class decides how leadership ends: a stopping replica releases the lease, one that lost it shuts its process down. The SDK would call {@link System#exit} in both cases,
 * which blocks forever when the process is exiting already.
 */
final class LeaderLease {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);
    private static final String NO_HOLDER = "";
    private static final Duration RENEW_PERIOD = Duration.ofSeconds(4);

    private final KubernetesClient client;
    private final LeaderElectionConfig config;
    /** Unique per process, so that a restarted container is not mistaken for its predecessor in the same pod. */
    private final String identity =
            Optional.ofNullable(System.getenv("HOSTNAME")).orElse("operator") + "_" + UUID.randomUUID();

    private final FatalShutdown onLost;
    private volatile boolean stopping;
    private volatile boolean lost;
    private volatile boolean leads;
    private Optional<LeaseSuccession> succession = Optional.empty();

    LeaderLease(KubernetesClient client, LeaderElectionConfig config, FatalShutdown onLost) {
        this.client = client;
        this.config = config;
        this.onLost = onLost;
    }

    LeaderElectionConfiguration configuration() {
        var callbacks = new LeaderCallbacks(this::startedLeading, this::stoppedLeading, leader -> {});
        return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(config.leaseName())
                .withIdentity(identity)
                .withLeaseNamespace(config.leaseNamespace().orElse(null))
                .withLeaseDuration(config.leaseDuration())
                .withRenewDeadline(config.renewDeadline())
                .withRetryPeriod(renewPeriod())
                .withLeaderCallbacks(callbacks)
                .withExitOnStopLeading(false)
                .build();
    }

    /**
     * Begins to wait for the lease, in the background. Call it when the SDK has started.
     *
     * @param lead starts what only a leader does, if it has not started
     */
    void succeed(Runnable lead) {
        var times = new LeaseSuccession.Times(
                config.leaseDuration(), config.renewDeadline(), renewPeriod(), config.retryPeriod());
        var outcome = new LeaseSuccession.Outcome() {
            @Override
            public void acquired() {
                LOG.info("Acquired lease {}, which its leader had released or not renewed", config.leaseName());
                lead.run();
            }

            @Override
            public void lost() {
                stoppedLeading();
            }
        };
        synchronized (this) {
            if (!stopping && !leads) {
                var waiting = new LeaseSuccession(client, this::read, identity, times, outcome);
                succession = Optional.of(waiting);
                waiting.start();
            }
        }
    }

    /** The elector demands that its period, and a little more than as much again, fits into the deadline. */
    private Duration renewPeriod() {
        Duration fitting = config.renewDeadline().multipliedBy(2).dividedBy(5);
        return config.renewPeriod().orElse(fitting.compareTo(RENEW_PERIOD) < 0 ? fitting : RENEW_PERIOD);
    }

    /** Marks the coming end of leadership as intended. What is held stays renewed until {@link #release}. */
    synchronized void expectStop() {
        stopping = true;
        succession.ifPresent(LeaseSuccession::stopWaiting);
    }

    /**
     * Releases the lease if this replica holds it, so that another one need not wait for its expiry. Call it only after all
     * reconciliations ended. If the release fails, the lease expires. A lost lease is not changed.
     */
    void release() {
        succession().ifPresent(LeaseSuccession::end);
        if (lost) {
            return;
        }
        try {
            Lease lease = read();
            if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
                lease.getSpec().setHolderIdentity(NO_HOLDER);
                client.resource(lease).lockResourceVersion().update();
                LOG.info("Released lease {}", config.leaseName());
            }
        } catch (KubernetesClientException e) {
            LOG.warn("Lease {} could not be released; it expires: {}", config.leaseName(), e.getMessage());
        }
    }

    private Lease read() {
        return client.leases()
                .inNamespace(config.leaseNamespace()
                        .orElseGet(() -> client.getConfiguration().getNamespace()))
                .withName(config.leaseName())
                .get();
    }

    private synchronized Optional<LeaseSuccession> succession() {
        return succession;
    }

    /**
     * The SDK calls this before it starts to reconcile.
     *
     * @throws KubernetesClientException if the replica stops: the elector takes it for a conflict, and starts nothing
     */
    private void startedLeading() {
        if (stopping) {
            throw new KubernetesClientException("The replica stops", HttpURLConnection.HTTP_CONFLICT, null);
        }
        leads = true;
    }

    /** Runs on a thread of the elector, which a stop waits for, or of the succession. */
    private void stoppedLeading() {
        if (!stopping) {
            lost = true;
            LOG.warn("Lost lease {}: the operator shuts down", config.leaseName());
            onLost.run();
        }
    }
}
