package svc.operator.runtime;

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

    @Override
    public void stop() {
        lease.ifPresent(LeaderLease::end);
        super.stop();
        lease.ifPresent(LeaderLease::release);
    }
}
