package svc.operator.config;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.Set;
import svc.operator.config.OperatorConfig.ReconcileConfig;

/**
 * Puts the configured intervals on a controller, the same way in a Quarkus application and in a plain one. Retries never
 * end: an operator that gives up is silent from then on.
 */
public final class ReconcilerTuning {
    private static final int BURST = 20;

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
                .withReconciliationMaxInterval(config.driftInterval());
        config.watchNamespaces()
                .filter(namespaces -> !namespaces.isEmpty())
                .ifPresent(namespaces -> controller.settingNamespaces(Set.copyOf(namespaces)));
    }

    /**
     * The same for kinds that many events belong to: one deploy of a function is its spec, its bundle, its Deployment's
     * progress, and each is to be seen at once.
     */
    public <P extends HasMetadata> void applyWithBursts(ControllerConfigurationOverrider<P> controller) {
        apply(controller);
        controller.withRateLimiter(new LinearRateLimiter(
                config.rateLimit().period(), BURST * config.rateLimit().limit()));
    }

    /** How long a project in order is left alone. */
    public Duration driftInterval() {
        return config.driftInterval();
    }

    /**
     * Projects whose server somebody else chose that are looked at in the same moment: such a server may be silent, and must
     * not keep all others waiting.
     */
    public int chosenServersAtOnce() {
        return Math.max(1, config.concurrency() / 2);
    }

    /** How long a deletion that is blocked waits. */
    public Duration deletionRetryInterval() {
        return config.deletionRetryInterval();
    }
}
