package svc.operator.config;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.Set;
import svc.operator.config.OperatorConfig.ReconcileConfig;
import svc.operator.kubernetes.InformerSync;

/**
 * Applies the configured retries, rate limits and intervals to a controller. Retries are unlimited: an operator that gave up
 * would be silent from then on.
 */
public final class ReconcilerTuning {
    private static final int BURST_FACTOR = 20;

    private final ReconcileConfig config;

    public ReconcilerTuning(ReconcileConfig config) {
        this.config = config;
    }

    public <P extends HasMetadata> void apply(ControllerConfigurationOverrider<P> controller) {
        controller
                .withRetry(new GenericRetry()
                        .setInitialInterval(config.retry().initial().toMillis())
                        .setIntervalMultiplier(config.retry().multiplier())
                        .setMaxInterval(config.retry().max().toMillis())
                        .withoutMaxAttempts())
                .withRateLimiter(new LinearRateLimiter(
                        config.rateLimit().period(), config.rateLimit().limit()))
                .withInformerListLimit(InformerSync.PAGE_SIZE)
                .withReconciliationMaxInterval(config.driftInterval());
        config.watchNamespaces()
                .filter(namespaces -> !namespaces.isEmpty())
                .ifPresent(namespaces -> controller.settingNamespaces(Set.copyOf(namespaces)));
    }

    /**
     * The same with a higher rate limit, for kinds with bursts of events: one deployment of a function changes its spec, its
     * bundle and its Deployment, and each change must be reconciled immediately.
     */
    public <P extends HasMetadata> void applyWithBursts(ControllerConfigurationOverrider<P> controller) {
        apply(controller);
        controller.withRateLimiter(new LinearRateLimiter(
                config.rateLimit().period(), BURST_FACTOR * config.rateLimit().limit()));
    }

    /** The maximum time between two reconciliations of a resource. */
    public Duration driftInterval() {
        return config.driftInterval();
    }

    /**
     * How many projects on external servers are reconciled at once: such a server may not answer, and must not occupy all
     * reconciliation threads.
     */
    public int maxConcurrentExternalServers() {
        return Math.max(1, config.concurrency() / 2);
    }

    /** The retry interval of a blocked deletion. */
    public Duration deletionRetryInterval() {
        return config.deletionRetryInterval();
    }
}
