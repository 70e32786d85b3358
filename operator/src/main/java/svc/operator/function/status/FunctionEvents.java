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

/** Which Events a look at a function is worth: transitions only. Pure. */
public final class FunctionEvents {
    private FunctionEvents() {}

    /** An Event to be written. */
    public record FunctionEvent(EventType type, String reason, String message) {}

    /**
     * @param function as it was seen, with its earlier status
     * @param status what it will have
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
            // Waiting for the bundler is how every function begins.
            if (now.isFalse()
                    && !now.reason().equals(FunctionReasons.BUNDLE_PENDING)
                    && !wasFalseFor(function, type, now.reason())) {
                events.add(new FunctionEvent(EventType.WARNING, now.reason(), now.message()));
            }
        }
        return events;
    }

    private static boolean wasFalseFor(EdgeFunction function, String type, String reason) {
        Optional<Condition> before = function.getStatus() == null
                ? Optional.empty()
                : Conditions.in(function.getStatus().conditions(), type);
        return before.filter(
                        condition -> condition.isFalse() && condition.reason().equals(reason))
                .isPresent();
    }
}
