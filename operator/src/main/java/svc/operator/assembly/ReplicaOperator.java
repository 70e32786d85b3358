package svc.operator.assembly;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import java.util.Optional;
import java.util.function.Consumer;

/** An operator that gives its lease back when it has stopped. */
final class ReplicaOperator extends Operator {
    private final Optional<LeaderLease> lease;

    /** @param lease empty where there is no election */
    ReplicaOperator(Consumer<ConfigurationServiceOverrider> configuration, Optional<LeaderLease> lease) {
        super(configuration);
        this.lease = lease;
    }

    /** As {@link #stop}; a start that is under way comes to its end first, since before that there is nothing to stop. */
    synchronized void stopOnceStarted() {
        stop();
    }

    @Override
    public void stop() {
        lease.ifPresent(LeaderLease::end);
        super.stop();
        lease.ifPresent(LeaderLease::release);
    }
}
