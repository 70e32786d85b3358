package svc.operator.function;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionCondition;
import svc.crds.function.EdgeFunctionStatus;
import svc.operator.function.status.FunctionEvents;
import svc.operator.function.status.FunctionOutcome;
import svc.operator.function.status.FunctionStatusMapper;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.FunctionDeployed;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observer;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.FailureMapper;

/** Ends every reconciliation of a function: patches the status, writes Events, reports observations, schedules the next one. */
final class FunctionStatusUpdater {
    private final ResourceEvents events;
    private final Observer observer;
    private final InstantSource clock;
    private final Duration driftInterval;

    FunctionStatusUpdater(ResourceEvents events, Observer observer, InstantSource clock, Duration driftInterval) {
        this.events = events;
        this.observer = observer;
        this.clock = clock;
        this.driftInterval = driftInterval;
    }

    /** @param startNanos start of the reconciliation, by {@link System#nanoTime} */
    UpdateControl<EdgeFunction> update(EdgeFunction function, FunctionOutcome outcome, long startNanos) {
        EdgeFunctionStatus status = FunctionStatusMapper.map(function, outcome, clock.instant());
        UpdateControl<EdgeFunction> control =
                changed(function, status).map(UpdateControl::patchStatus).orElseGet(UpdateControl::noUpdate);
        observer.observed(new Reconciled(Duration.ofNanos(System.nanoTime() - startNanos)));
        return control.rescheduleAfter(driftInterval);
    }

    /** Does the same for an exception, and decides whether the SDK retries it. */
    ErrorStatusUpdateControl<EdgeFunction> updateFailed(EdgeFunction function, Exception thrown) {
        Failure mapped = FailureMapper.of(thrown);
        var failure = new Failure(
                EdgeFunctionCondition.AVAILABLE, mapped.reason(), mapped.message(), mapped.known(), mapped.retry());
        observer.observed(new Failed(failure.reason(), failure.message(), failure.retry(), Optional.empty(), thrown));
        EdgeFunctionStatus status =
                FunctionStatusMapper.map(function, new FunctionOutcome.Failed(failure), clock.instant());
        ErrorStatusUpdateControl<EdgeFunction> control = changed(function, status)
                .map(ErrorStatusUpdateControl::patchStatus)
                .orElseGet(ErrorStatusUpdateControl::noStatusUpdate);
        return failure.retry() ? control : control.withNoRetry().rescheduleAfter(driftInterval);
    }

    private Optional<EdgeFunction> changed(EdgeFunction function, EdgeFunctionStatus status) {
        EdgeFunctionStatus before = function.getStatus();
        if (before != null && isSame(before, status)) {
            return Optional.empty();
        }
        FunctionEvents.of(function, status)
                .forEach(event -> events.write(function, event.type(), event.reason(), event.message()));
        if (status.version() != null && !Objects.equals(before == null ? null : before.version(), status.version())) {
            observer.observed(new FunctionDeployed(status.version()));
        }
        return Optional.of(statusPatch(function, status));
    }

    /** Ignores the order of conditions, which the API server decides, and the bundle, which the control plane writes. */
    private static boolean isSame(EdgeFunctionStatus stored, EdgeFunctionStatus wanted) {
        return Set.copyOf(stored.conditions()).equals(Set.copyOf(wanted.conditions()))
                && stored.toBuilder()
                        .conditions(wanted.conditions())
                        .bundle(null)
                        .build()
                        .equals(wanted);
    }

    /** A new object with the status alone: this field manager would own every other field that it contains. */
    private static EdgeFunction statusPatch(EdgeFunction function, EdgeFunctionStatus status) {
        var patch = new EdgeFunction();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(function.getMetadata().getNamespace())
                .withName(function.getMetadata().getName())
                .build());
        patch.setStatus(status);
        return patch;
    }
}
