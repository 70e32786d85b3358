package svc.operator.assembly;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.processing.Controller;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An operator that stops in order: no reconciliation starts any more, those in progress end, then the caches that they read
 * are closed, and at last the leader election lease is released. The SDK closes the caches first: a reconciliation in
 * progress would find nothing in them and take that for deleted.
 */
final class ReplicaOperator extends Operator {
    private final Optional<LeaderLease> lease;
    private final Duration terminationTimeout;

    /** Event processing begins under it, and never after a stop. */
    private final Object processing = new Object();

    private boolean stopped;

    /**
     * @param lease empty without leader election
     * @param terminationTimeout how long reconciliations in progress may take; then they are interrupted
     */
    ReplicaOperator(
            Consumer<ConfigurationServiceOverrider> configuration,
            Optional<LeaderLease> lease,
            Duration terminationTimeout) {
        super(configuration);
        this.lease = lease;
        this.terminationTimeout = terminationTimeout;
    }

    @Override
    public synchronized void start() {
        super.start();
        lease.ifPresent(election -> election.succeed(this::lead));
    }

    private void lead() {
        synchronized (processing) {
            if (!stopped) {
                getRegisteredControllers().forEach(controller -> ((Controller<?>) controller).startEventProcessing());
            }
        }
    }

    /** Stops the operator; waits for a running start first, because {@link #stop} has no effect before it. */
    synchronized void stopOnceStarted() {
        stop();
    }

    @Override
    public void stop() {
        lease.ifPresent(LeaderLease::expectStop);
        synchronized (processing) {
            stopped = true;
        }
        if (getRuntimeInfo().isStarted()) {
            endReconciliations();
        }
        super.stop();
        lease.ifPresent(LeaderLease::release);
    }

    private void endReconciliations() {
        for (RegisteredController<?> controller : getRegisteredControllers()) {
            // Those that wait for a thread do not start after this.
            ((Controller<?>) controller).getEventProcessor().stop();
        }
        ExecutorService reconciliations =
                getConfigurationService().getExecutorServiceManager().reconcileExecutorService();
        reconciliations.shutdown();
        try {
            if (!reconciliations.awaitTermination(terminationTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
                reconciliations.shutdownNow();
            }
        } catch (InterruptedException e) {
            reconciliations.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
