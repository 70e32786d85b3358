package svc.crds.condition;

import java.util.List;

/**
 * The conditions that every resource of a kind has, in the order in which they become True. {@link #READY} is derived from
 * them and is not among them.
 */
public record ConditionTypes(List<String> dependents) {

    /** The summary condition of every kind. */
    public static final String READY = "Ready";

    public ConditionTypes {
        dependents = List.copyOf(dependents);
        if (dependents.isEmpty() || dependents.contains(READY)) {
            throw new IllegalArgumentException("Ready is derived from other conditions, at least one: " + dependents);
        }
    }

    public static ConditionTypes of(String... dependents) {
        return new ConditionTypes(List.of(dependents));
    }
}
