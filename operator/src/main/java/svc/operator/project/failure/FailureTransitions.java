package svc.operator.project.failure;

import java.util.Optional;
import svc.crds.condition.Condition;

/** Which changes of a condition are worth an Event: it failed for another reason, or it recovered. Pure. */
public final class FailureTransitions {
    private FailureTransitions() {}

    /** Whether the condition is False, or Unknown because of a bug, for another reason than before. */
    public static boolean isNewFailure(Optional<Condition> before, Condition now) {
        return isFailure(now)
                && before.filter(was -> isFailure(was) && was.reason().equals(now.reason()))
                        .isEmpty();
    }

    /** Whether the condition is True after such a failure. */
    public static boolean isRecovery(Optional<Condition> before, Condition now) {
        return now.isTrue() && before.filter(FailureTransitions::isFailure).isPresent();
    }

    /** Unknown alone is no failure: a condition that waits for another one is Unknown too. */
    private static boolean isFailure(Condition condition) {
        return condition.isFalse() || !condition.isTrue() && condition.reason().equals(FailureMapper.INTERNAL_ERROR);
    }
}
