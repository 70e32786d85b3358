package svc.operator.secret;

import svc.operator.function.variable.SecretValue;
import svc.operator.project.failure.Failure;

/** What one look at a FunctionSecret came to. */
sealed interface SecretOutcome {
    /** Its project is not there, or gives nothing. */
    record NotServed(String message) implements SecretOutcome {}

    /** There is no value that it may set. */
    record Absent(SecretValue.Absent why) implements SecretOutcome {}

    /**
     * The value is there.
     *
     * @param digest of it
     */
    record Judged(String digest, AppliedValue.State state) implements SecretOutcome {}

    /** It could not be looked at. */
    record Failed(Failure failure) implements SecretOutcome {}
}
