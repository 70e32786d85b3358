package svc.operator.function;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import svc.crds.function.EdgeFunction;
import svc.operator.function.status.FunctionOutcome.Refused;
import svc.operator.function.status.FunctionReasons;

/** Which functions of a project may run when names or maxFunctions conflict: the oldest. Pure. */
final class FunctionPrecedence {
    private static final Comparator<EdgeFunction> AGE = Comparator.comparing(
                    (EdgeFunction function) -> function.getMetadata().getCreationTimestamp(),
                    Comparator.nullsLast(Comparator.naturalOrder()))
            // Timestamps are in seconds: of two with the same one the running function wins.
            .thenComparing(function ->
                    function.getStatus() == null || function.getStatus().url() == null)
            .thenComparing(function -> function.getMetadata().getName());

    private FunctionPrecedence() {}

    /**
     * @param siblings the functions of the project
     * @param max {@code spec.functions.maxFunctions} of the project
     */
    static Optional<Refused> refusal(EdgeFunction function, List<EdgeFunction> siblings, int max) {
        int before = 0;
        for (EdgeFunction other : siblings) {
            if (isSame(other, function) || other.isMarkedForDeletion() || AGE.compare(other, function) > 0) {
                continue;
            }
            if (other.getSpec().name().equals(function.getSpec().name())) {
                return Optional.of(new Refused(
                        FunctionReasons.NAME_CONFLICT,
                        "The EdgeFunction " + other.getMetadata().getName() + " of this project has the name "
                                + function.getSpec().name() + ": delete one of the two."));
            }
            before++;
        }
        return before < max
                ? Optional.empty()
                : Optional.of(new Refused(
                        FunctionReasons.TOO_MANY_FUNCTIONS,
                        "The project has " + before + " older functions and may have " + max
                                + ": delete one, or raise spec.functions.maxFunctions of the Project."));
    }

    private static boolean isSame(EdgeFunction one, EdgeFunction other) {
        return one.getMetadata().getName().equals(other.getMetadata().getName());
    }
}
