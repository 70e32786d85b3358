package svc.operator.function.status;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import svc.operator.project.failure.Failure;

/** The outcome of one reconciliation of an EdgeFunction. */
public sealed interface FunctionOutcome {
    /** Its project is paused; nothing was changed. */
    record Paused() implements FunctionOutcome {}

    /**
     * It must not run, for the reason in the condition Available.
     *
     * @param withdrawn whether its objects were deleted; otherwise they keep running unchanged
     */
    record Refused(String reason, String message, boolean withdrawn) implements FunctionOutcome {
        /** A withdrawn function. */
        public Refused(String reason, String message) {
            this(reason, message, true);
        }
    }

    /**
     * Its project is not provisioned yet; its objects, if any, keep running unchanged.
     *
     * @param message for the condition Available
     */
    record Waiting(String message) implements FunctionOutcome {}

    /** No code was ever bundled; the function holds its name. */
    record NoCode(BundleState bundle, String url) implements FunctionOutcome {}

    /**
     * Its objects match the spec.
     *
     * @param bundle state of the code in the spec
     * @param contentHash of the code that the objects run: the code in the spec, or the previous one until it is bundled
     * @param deployment from the cache
     * @param startFailure why its processes do not start
     */
    record Applied(
            BundleState bundle,
            String contentHash,
            Permit permit,
            String url,
            Optional<Deployment> deployment,
            Optional<String> startFailure)
            implements FunctionOutcome {
        /** Whether the project lets its functions run. */
        public enum Permit {
            ENABLED,
            /** {@code spec.functions.enabled} is false. */
            DISABLED,
            /** {@code spec.suspend} is true. */
            SUSPENDED
        }
    }

    /** The reconciliation failed; what was true before still is. */
    record Failed(Failure failure) implements FunctionOutcome {}
}
