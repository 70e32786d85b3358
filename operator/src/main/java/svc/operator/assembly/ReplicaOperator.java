package svc.operator.assembly;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import java.util.Optional;
import java.util.function.Consumer;

/** An operator that releases its leader election lease after it stopped. */
final class ReplicaOperator extends Operator {
    private final Optional<LeaderLease> lease;

    /** @param lease empty without leader election */
    ReplicaOperator(Consumer<ConfigurationServiceOverrider> configuration, Optional<LeaderLease> lease) {
        super(configuration);
        this.lease = lease;
    }

    /** Stops the operator; waits for a running start first, because {@link #stop} has no effect before it. */
    synchronized void stopOnceStarted() {
        stop();
    }

    @Override
    public void stop() {
        lease.ifPresent(LeaderLease::expectStop);
        super.stop();
        lease.ifPresent(LeaderLease::release);
    }
}
