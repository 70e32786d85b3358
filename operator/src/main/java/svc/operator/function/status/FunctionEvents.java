package svc.operator.function.status;

import static svc.crds.function.EdgeFunctionCondition.AVAILABLE;
import static svc.crds.function.EdgeFunctionCondition.BUNDLE_READY;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionStatus;
import svc.operator.kubernetes.EventType;
import svc.operator.project.failure.FailureTransitions;

/** The Events of a reconciliation of a function: transitions only. Pure. */
public final class FunctionEvents {
    private FunctionEvents() {}

    /** An Event to write. */
    public record FunctionEvent(EventType type, String reason, String message) {}

    /**
     * @param function with its earlier status
     * @param status the new status
     */
    public static List<FunctionEvent> of(EdgeFunction function, EdgeFunctionStatus status) {
        List<FunctionEvent> events = new ArrayList<>();
        Long before = function.getStatus() == null ? null : function.getStatus().version();
        if (status.version() != null && !Objects.equals(before, status.version())) {
            events.add(new FunctionEvent(
                    EventType.NORMAL,
                    FunctionReasons.DEPLOYED,
                    "Version " + status.version() + " serves (" + status.hash() + ")."));
        }
        for (String type : List.of(BUNDLE_READY, AVAILABLE)) {
            Condition now = Conditions.in(status.conditions(), type).orElseThrow();
            if (FailureTransitions.isNewFailure(before(function, type), now)) {
                events.add(new FunctionEvent(EventType.WARNING, now.reason(), now.message()));
            }
        }
        return events;
    }

    private static Optional<Condition> before(EdgeFunction function, String type) {
        return function.getStatus() == null
                ? Optional.empty()
                : Conditions.in(function.getStatus().conditions(), type);
    }
}
