package svc.operator.pod;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import svc.crds.project.database.ResourceAmounts;
import svc.crds.project.database.ResourcesSpec;

/**
 * The most that {@code spec.resources} of a function may ask for each of its processes; empty: no maximum. A tenant who may
 * write EdgeFunctions would otherwise choose how much of the cluster a process takes.
 */
public record ResourceCeiling(Optional<Quantity> cpu, Optional<Quantity> memory) {
    /** No maximum. */
    public static final ResourceCeiling NONE = new ResourceCeiling(Optional.empty(), Optional.empty());

    /** What exceeds the maximum, with its value and with what to do; empty if nothing does. */
    public Optional<String> excess(ResourcesSpec wanted) {
        if (wanted == null) {
            return Optional.empty();
        }
        return excess("limits", wanted.limits()).or(() -> excess("requests", wanted.requests()));
    }

    private Optional<String> excess(String part, ResourceAmounts amounts) {
        if (amounts == null) {
            return Optional.empty();
        }
        return excess(part + ".cpu", amounts.cpu(), cpu).or(() -> excess(part + ".memory", amounts.memory(), memory));
    }

    private static Optional<String> excess(String field, Quantity wanted, Optional<Quantity> max) {
        if (wanted == null
                || max.isEmpty()
                || wanted.getNumericalAmount().compareTo(max.get().getNumericalAmount()) <= 0) {
            return Optional.empty();
        }
        return Optional.of("spec.resources." + field + " is " + wanted + ", and this installation allows " + max.get()
                + ": lower it, or ask an admin to raise managedPods.maxResources.");
    }

    /** Lowers the defaults of functions to the maximum. */
    public void lower(Map<String, Quantity> amounts) {
        cpu.ifPresent(max -> amounts.computeIfPresent("cpu", (name, usual) -> lesser(usual, max)));
        memory.ifPresent(max -> amounts.computeIfPresent("memory", (name, usual) -> lesser(usual, max)));
    }

    private static Quantity lesser(Quantity one, Quantity other) {
        return one.getNumericalAmount().compareTo(other.getNumericalAmount()) <= 0 ? one : other;
    }
}
