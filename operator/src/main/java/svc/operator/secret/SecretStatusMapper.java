package svc.operator.secret;

import static svc.crds.secret.FunctionSecretCondition.APPLIED;
import static svc.crds.secret.FunctionSecretCondition.VALUE_FOUND;

import java.time.Instant;
import java.util.Optional;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.secret.FunctionSecret;
import svc.crds.secret.FunctionSecretStatus;
import svc.operator.function.variable.SecretReasons;
import svc.operator.kubernetes.EventType;

/** From an outcome to the status to store, which holds no value. Pure. */
final class SecretStatusMapper {
    private SecretStatusMapper() {}

    static FunctionSecretStatus map(FunctionSecret secret, SecretOutcome outcome, Instant now) {
        FunctionSecretStatus before = secret.getStatus() == null ? FunctionSecretStatus.empty() : secret.getStatus();
        Conditions going = secret.conditions();
        FunctionSecretStatus.Builder status =
                before.toBuilder().observedGeneration(secret.getMetadata().getGeneration());
        Conditions judged = switch (outcome) {
            case SecretOutcome.NotServed not -> {
                status.digest(null);
                yield going.markUnknown(VALUE_FOUND, SecretReasons.PROJECT_NOT_READY, "")
                        .markFalse(APPLIED, SecretReasons.PROJECT_NOT_READY, not.message());
            }
            // The digest is of the value in force, which may be there still.
            case SecretOutcome.Absent absent ->
                going.markFalse(VALUE_FOUND, absent.why().reason(), absent.why().message())
                        .markUnknown(APPLIED, SecretReasons.NO_VALUE, "");
            case SecretOutcome.Judged found -> {
                status.digest(found.digest());
                yield applied(going.markTrue(VALUE_FOUND, SecretReasons.FOUND, ""), found.state());
            }
            case SecretOutcome.Failed failed ->
                going.markUnknown(
                        VALUE_FOUND, failed.failure().reason(), failed.failure().message());
        };
        return status.conditions(judged.at(now)).build();
    }

    private static Conditions applied(Conditions conditions, AppliedValue.State state) {
        return switch (state) {
            case IN_FORCE -> conditions.markTrue(APPLIED, SecretReasons.VALUE_APPLIED, "");
            case ROLLING_OUT ->
                conditions.markUnknown(
                        APPLIED, SecretReasons.ROLLING_OUT, "Processes with the value are being started.");
            case NO_FUNCTION ->
                conditions.markUnknown(
                        APPLIED,
                        SecretReasons.FUNCTION_NOT_FOUND,
                        "No function of that name runs: the value waits for it.");
        };
    }

    /** The Event that a change of ValueFound is worth. */
    static Optional<EventType> event(Optional<Condition> before, Condition now) {
        if (now.isFalse()) {
            return before.filter(was -> was.isFalse() && was.reason().equals(now.reason()))
                            .isPresent()
                    ? Optional.empty()
                    : Optional.of(EventType.WARNING);
        }
        return now.isTrue() && before.filter(Condition::isFalse).isPresent()
                ? Optional.of(EventType.NORMAL)
                : Optional.empty();
    }
}
