package svc.operator.function.status;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import svc.operator.project.failure.Failure;

/** What one look at a function came to. */
public sealed interface FunctionOutcome {
    /** Its project is paused: nothing was touched. */
    record Paused() implements FunctionOutcome {}

    /**
     * It is not to run; why is for the condition Available.
     *
     * @param withdrawn whether what ran was taken down; otherwise it goes on, and only nothing of it is changed
     */
    record Refused(String reason, String message, boolean withdrawn) implements FunctionOutcome {
        /** One that was taken down. */
        public Refused(String reason, String message) {
            this(reason, message, true);
        }
    }

    /** There is no code to run, and never was; its name is its own. */
    record NoCode(BundleState bundle, String url) implements FunctionOutcome {}

    /**
     * Its objects are as they should be.
     *
     * @param bundle of the code that the spec asks for
     * @param contentHash of the code that the objects are for: that code, or the one before while there is none
     * @param deployment as last seen
     * @param trouble why its processes do not come up
     */
    record Applied(
            BundleState bundle,
            String contentHash,
            boolean enabled,
            String url,
            Optional<Deployment> deployment,
            Optional<String> trouble)
            implements FunctionOutcome {}

    /** It could not be done. Whatever was true before is still true. */
    record Failed(Failure failure) implements FunctionOutcome {}
}
