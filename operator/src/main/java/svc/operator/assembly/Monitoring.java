package svc.operator.assembly;

import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import svc.operator.observe.Observer;
import svc.operator.observe.OperatorMetrics;
import svc.operator.observe.ReconcileLog;

/**
 * Logs and metrics of a packaged operator. The tests' operators have the same, because the SDK's metrics take part in every
 * reconciliation: they wrap what it throws.
 *
 * @param observer of this operator's own facts
 * @param sdkMetrics of the SDK, without its time series per resource
 */
public record Monitoring(Observer observer, Metrics sdkMetrics) {
    public static Monitoring of(MeterRegistry registry) {
        return new Monitoring(
                new ReconcileLog().and(new OperatorMetrics(registry)),
                MicrometerMetrics.withoutPerResourceMetrics(registry));
    }
}
