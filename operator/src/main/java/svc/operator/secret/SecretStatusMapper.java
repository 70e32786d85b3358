package svc.operator.secret;

import static svc.crds.project.ProjectCondition.STALLED;
import static svc.crds.secret.FunctionSecretCondition.APPLIED;
import static svc.crds.secret.FunctionSecretCondition.VALUE_FOUND;

import java.time.Instant;
import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretStatus;
import svc.operator.function.variable.SecretReasons;
import svc.operator.kubernetes.BoundedText;
import svc.operator.kubernetes.EventType;
import svc.operator.project.failure.FailureTransitions;

/** Maps an outcome to the status, which contains no value. Pure. */
final class SecretStatusMapper {
    private SecretStatusMapper() {}

    static FunctionSecretStatus map(FunctionSecret secret, SecretOutcome outcome, Instant now) {
        FunctionSecretStatus before = secret.getStatus() == null ? FunctionSecretStatus.empty() : secret.getStatus();
        Conditions stored = secret.conditions().without(STALLED);
        FunctionSecretStatus.Builder status =
                before.toBuilder().observedGeneration(secret.getMetadata().getGeneration());
        Conditions judged = switch (outcome) {
            case SecretOutcome.NotServed not -> {
                status.digest(null);
                yield stored.markUnknown(VALUE_FOUND, SecretReasons.PROJECT_NOT_READY, "")
                        .markFalse(APPLIED, SecretReasons.PROJECT_NOT_READY, not.message());
            }
            case SecretOutcome.Waiting waiting -> {
                status.digest(null);
                yield stored.markUnknown(VALUE_FOUND, SecretReasons.PROJECT_NOT_READY, "")
                        .markUnknown(APPLIED, SecretReasons.PROJECT_NOT_READY, waiting.message());
            }
            // Keeps the digest: processes may still run with the earlier value.
            case SecretOutcome.Absent absent ->
                stored.markFalse(
                                VALUE_FOUND, absent.why().reason(), absent.why().message())
                        .markUnknown(APPLIED, SecretReasons.NO_VALUE, "");
            case SecretOutcome.Found found -> {
                status.digest(found.digest());
                yield applied(stored.markTrue(VALUE_FOUND, SecretReasons.FOUND, ""), found.state());
            }
            case SecretOutcome.Failed(var failure) ->
                failure.known()
                        ? stored.markFalse(VALUE_FOUND, failure.reason(), failure.message())
                        : stored.markUnknown(VALUE_FOUND, failure.reason(), failure.message());
        };
        return status.conditions(BoundedText.messages(stalled(judged).at(now))).build();
    }

    /** With Stalled while a user must act. */
    private static Conditions stalled(Conditions conditions) {
        Condition ready = conditions.ready();
        return ready.isFalse() && SecretReasons.isStalled(ready.reason())
                ? conditions.markTrue(STALLED, ready.reason(), ready.message())
                : conditions;
    }

    private static Conditions applied(Conditions conditions, AppliedValue.State state) {
        return switch (state) {
            case APPLIED -> conditions.markTrue(APPLIED, SecretReasons.VALUE_APPLIED, "");
            case ROLLING_OUT ->
                conditions.markUnknown(APPLIED, SecretReasons.ROLLING_OUT, "Processes with the value are starting.");
            case NO_FUNCTION ->
                conditions.markUnknown(
                        APPLIED,
                        SecretReasons.FUNCTION_NOT_FOUND,
                        "No function of that name exists: deploy it to use the value.");
        };
    }

    /** The type of the Event for a change of ValueFound; empty when it is not a transition. */
    static Optional<EventType> event(Optional<Condition> before, Condition now) {
        if (FailureTransitions.isNewFailure(before, now)) {
            return Optional.of(EventType.WARNING);
        }
        return FailureTransitions.isRecovery(before, now) ? Optional.of(EventType.NORMAL) : Optional.empty();
    }
}
