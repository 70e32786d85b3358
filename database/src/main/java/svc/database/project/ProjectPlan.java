package svc.database.project;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import svc.database.project.Fact.Kind;

/**
 * The steps from the observed to the desired state. Empty on a converged project: a second run writes nothing.
 *
 * @param steps first the schema version, then revocations, then what is missing, in the layout's order
 * @param irreparable changes that only rewriting rows could undo, which the platform never does
 */
public record ProjectPlan(List<SqlStep> steps, List<Fact> irreparable) {
    /** The plan of a converged project. */
    public static final ProjectPlan NOTHING = new ProjectPlan(List.of(), List.of());

    private static final Set<Kind> BOUND_TO_ROWS = Set.of(Kind.TABLE, Kind.COLUMN, Kind.CONSTRAINT);

    public ProjectPlan {
        steps = List.copyOf(steps);
        irreparable = List.copyOf(irreparable);
    }

    public static ProjectPlan of(ProjectLayout layout, Set<Fact> observed) {
        Set<Fact> desired = layout.facts();
        Set<Fact> missing = new HashSet<>(desired);
        missing.removeAll(observed);
        List<Fact> irreparable = missing.stream()
                .filter(fact -> BOUND_TO_ROWS.contains(fact.kind()))
                .filter(fact -> observed.stream().anyMatch(fact::sameSubject))
                .sorted(Comparator.comparing(Fact::toString))
                .toList();
        List<SqlStep> steps = new ArrayList<>();
        RevokeSteps surplus = new RevokeSteps(layout.target());
        observed.stream()
                .filter(fact -> !desired.contains(fact))
                .sorted(Comparator.comparing(Fact::toString))
                .forEach(fact -> surplus.removing(fact, desired).ifPresent(steps::add));
        steps.addAll(missing(layout.steps(), observed));
        if (!steps.isEmpty()) {
            steps.add(0, SchemaVersion.raise(layout.target().names()));
        }
        return new ProjectPlan(steps, irreparable);
    }

    /** The steps that provide a missing fact, in their order. */
    static List<SqlStep> missing(List<SqlStep> steps, Set<Fact> observed) {
        Set<Fact> known = new HashSet<>(observed);
        List<SqlStep> needed = new ArrayList<>();
        for (SqlStep step : steps) {
            if (!known.containsAll(step.answers())) {
                needed.add(step);
                known.addAll(step.provides());
            }
        }
        return needed;
    }

    public boolean isEmpty() {
        return steps.isEmpty() && irreparable.isEmpty();
    }

    /** The names of the steps in order, for Events and logs. */
    public List<String> stepNames() {
        return steps.stream().map(SqlStep::name).toList();
    }

    /** Every step with its SQL; omits secrets. */
    @Override
    public String toString() {
        return steps.stream()
                .map(step -> "-- " + step.name() + "\n" + step.sql().printable())
                .collect(Collectors.joining("\n"));
    }
}
