package svc.operator.function;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionCondition;
import svc.crds.function.EdgeFunctionStatus;
import svc.operator.function.status.FunctionEvents;
import svc.operator.function.status.FunctionOutcome;
import svc.operator.function.status.FunctionReasons;
import svc.operator.function.status.FunctionStatusMapper;
import svc.operator.kubernetes.ResourceEvents;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.FunctionDeployed;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observer;
import svc.operator.project.failure.Failure;
import svc.operator.project.failure.FailureMapper;

/** The end of every look at a function: status, Events, observations, and when to look again. */
final class FunctionStatusUpdater {
    /** Pods wake nobody: while processes should come up, they are looked at so often. */
    private static final Duration WHILE_STARTING = Duration.ofSeconds(2);

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

    /** @param beganNanos when the look began, by {@link System#nanoTime} */
    UpdateControl<EdgeFunction> settle(EdgeFunction function, FunctionOutcome outcome, long beganNanos) {
        EdgeFunctionStatus status = FunctionStatusMapper.map(function, outcome, clock.instant());
        UpdateControl<EdgeFunction> control =
                changed(function, status).map(UpdateControl::patchStatus).orElseGet(UpdateControl::noUpdate);
        observer.observed(new Reconciled(Duration.ofNanos(System.nanoTime() - beganNanos)));
        return control.rescheduleAfter(isStarting(status) ? WHILE_STARTING : driftInterval);
    }

    /** For an exception: the same, and whether to try again soon. */
    ErrorStatusUpdateControl<EdgeFunction> fail(EdgeFunction function, Exception thrown) {
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
        return Optional.of(holding(function, status));
    }

    private static boolean isStarting(EdgeFunctionStatus status) {
        return Conditions.in(status.conditions(), EdgeFunctionCondition.AVAILABLE)
                .map(Condition::reason)
                .filter(
                        Set.of(FunctionReasons.ROLLING_OUT, FunctionReasons.STARTING, FunctionReasons.DOES_NOT_START)
                                ::contains)
                .isPresent();
    }

    /** The order of conditions is the API server's business, and the bundle is not ours. */
    private static boolean isSame(EdgeFunctionStatus stored, EdgeFunctionStatus wanted) {
        return Set.copyOf(stored.conditions()).equals(Set.copyOf(wanted.conditions()))
                && stored.toBuilder()
                        .conditions(wanted.conditions())
                        .bundle(null)
                        .build()
                        .equals(wanted);
    }

    /** A new object with nothing but the status: what else it held, this field manager would claim to own. */
    private static EdgeFunction holding(EdgeFunction function, EdgeFunctionStatus status) {
        var patch = new EdgeFunction();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(function.getMetadata().getNamespace())
                .withName(function.getMetadata().getName())
                .build());
        patch.setStatus(status);
        return patch;
    }
}
