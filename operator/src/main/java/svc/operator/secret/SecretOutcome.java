package svc.operator.secret;

import svc.operator.function.variable.SecretValue;
import svc.operator.project.failure.Failure;

/** The outcome of one reconciliation of a FunctionSecret. */
sealed interface SecretOutcome {
    /** Its project is not provisioned yet. */
    record Waiting(String message) implements SecretOutcome {}

    /** Its project is missing, being deleted, or lost its claim. */
    record NotServed(String message) implements SecretOutcome {}

    /** There is no value that it can set. */
    record Absent(SecretValue.Absent why) implements SecretOutcome {}

    /**
     * The value exists.
     *
     * @param digest of the value
     */
    record Found(String digest, AppliedValue.State state) implements SecretOutcome {}

    /** The reconciliation failed. */
    record Failed(Failure failure) implements SecretOutcome {}
}
