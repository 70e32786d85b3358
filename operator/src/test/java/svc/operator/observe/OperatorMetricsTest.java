package svc.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.ProjectState;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observation.Removal;
import svc.operator.observe.Observation.Removed;
import svc.operator.observe.Observation.StateObserved;

/** What dashboards and alerts are built on. */
class OperatorMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final OperatorMetrics metrics = new OperatorMetrics(registry);

    @Test
    void aProjectIsCountedInOneStateUntilItIsGone() {
        metrics.observed(new StateObserved("a/shop", ProjectState.FAILING));
        metrics.observed(new StateObserved("a/shop", ProjectState.READY));
        metrics.observed(new StateObserved("b/shop", ProjectState.READY));

        assertThat(projects("ready")).isEqualTo(2);
        assertThat(projects("failing")).isZero();

        metrics.observed(new Removed("a/shop", Removal.RETAINED));
        assertThat(projects("ready")).isEqualTo(1);
    }

    @Test
    void sqlErrorsAreCountedByClass() {
        metrics.observed(new Failed("DiskFull", "", true, Optional.of("53100"), new IllegalStateException()));

        assertThat(registry.get("svc.sql.errors")
                        .tag("sqlstate_class", "53")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void timesAndRepairsAreCounted() {
        metrics.observed(new Reconciled(Duration.ofMillis(20)));
        metrics.observed(new DriftRepaired(3));

        assertThat(registry.get("svc.reconcile").timer().count()).isEqualTo(1);
        assertThat(registry.get("svc.drift.repairs").counter().count()).isEqualTo(1);
    }

    @Test
    void noTagNamesAProject() {
        metrics.observed(new StateObserved("some-namespace/some-name", ProjectState.CONFLICT));
        metrics.observed(new Removed("some-namespace/some-name", Removal.DELETED));

        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .flatExtracting(Meter.Id::getTags)
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("some-n"));
    }

    private double projects(String state) {
        return registry.get("svc.projects").tag("state", state).gauge().value();
    }
}
