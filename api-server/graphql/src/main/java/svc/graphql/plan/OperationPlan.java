package svc.graphql.plan;

import java.util.List;
import svc.graphql.document.Operation;

/**
 * A planned operation.
 *
 * @param roots its fields in order
 * @param errors of fields that are left out while the others are answered
 */
public record OperationPlan(Operation.Kind kind, List<RootPlan> roots, List<String> errors) {
    public OperationPlan {
        roots = List.copyOf(roots);
        errors = List.copyOf(errors);
    }

    /** Whether a field needs the database. */
    public boolean needsDatabase() {
        return roots.stream()
                .anyMatch(root -> !(root instanceof RootPlan.Typename) && !(root instanceof RootPlan.Introspection));
    }
}
