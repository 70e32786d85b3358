package svc.operator.assembly;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import svc.operator.config.OperatorConfig.LeaderElectionConfig;

/**
 * One replica's part in the election of a leader. The SDK takes the lease and renews it; how leading ends is decided here: a
 * replica that is told to stop gives the lease back, one that has lost it says so to its process. The SDK itself would end
 * the process with {@link System#exit} in both cases, which waits for ever where the process is ending already.
 */
final class LeaderLease {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);
    private static final String NOBODY = "";

    private final KubernetesClient client;
    private final LeaderElectionConfig config;
    /** Of this process alone, so that a container that is started anew in its pod is not taken for the one that hangs. */
    private final String identity =
            Optional.ofNullable(System.getenv("HOSTNAME")).orElse("operator") + "_" + UUID.randomUUID();

    private final FatalShutdown whenLost;
    private volatile boolean ending;
    private volatile boolean lost;

    LeaderLease(KubernetesClient client, LeaderElectionConfig config, FatalShutdown whenLost) {
        this.client = client;
        this.config = config;
        this.whenLost = whenLost;
    }

    LeaderElectionConfiguration configuration() {
        var callbacks = new LeaderCallbacks(() -> {}, this::stoppedLeading, leader -> {});
        return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(config.leaseName())
                .withIdentity(identity)
                .withLeaseNamespace(config.leaseNamespace().orElse(null))
                .withLeaseDuration(config.leaseDuration())
                .withRenewDeadline(config.renewDeadline())
                .withRetryPeriod(config.retryPeriod())
                .withLeaderCallbacks(callbacks)
                .withExitOnStopLeading(false)
                .build();
    }

    /** From now on leading ends because it is to. */
    void end() {
        ending = true;
    }

    /**
     * Gives the lease back if this replica holds it, so that another one need not wait until it is over. Only when nothing is
     * reconciled any more. When that fails, the lease ends by itself; one that was lost is left alone.
     */
    void release() {
        if (lost) {
            return;
        }
        try {
            Lease lease = client.leases()
                    .inNamespace(config.leaseNamespace()
                            .orElseGet(() -> client.getConfiguration().getNamespace()))
                    .withName(config.leaseName())
                    .get();
            if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
                lease.getSpec().setHolderIdentity(NOBODY);
                client.resource(lease).lockResourceVersion().update();
                LOG.info("lease {} is given back", config.leaseName());
            }
        } catch (KubernetesClientException e) {
            LOG.warn("lease {} could not be given back: {}", config.leaseName(), e.getMessage());
        }
    }

    /** Called on a thread of the elector, which a stop waits for. */
    private void stoppedLeading() {
        if (!ending) {
            lost = true;
            LOG.warn("lease {} is lost", config.leaseName());
            whenLost.run();
        }
    }
}
