package svc.operator.function.status;

import java.util.Set;

/** Reasons of an EdgeFunction's conditions and Events. Programs may depend on them: part of the API. */
public final class FunctionReasons {
    /** BundleReady: the code is bundled and its start was verified. */
    public static final String BUNDLED = "Bundled";
    /** BundleReady: the control plane has not bundled {@code spec.source} yet. */
    public static final String BUNDLE_PENDING = "BundlePending";
    /** BundleReady: {@code spec.source} cannot be bundled; the message says where. */
    public static final String BUNDLE_FAILED = "BundleFailed";
    /** Available: processes run and accept calls. */
    public static final String SERVING = "Serving";
    /** Available: no process runs; the first call starts one. */
    public static final String IDLE = "Idle";
    /** Available: a process of a version that served before is starting. */
    public static final String STARTING = "Starting";
    /** Available: a new version is starting; the previous one serves until it is ready. */
    public static final String ROLLING_OUT = "RollingOut";
    /** Available: processes of the version exit at start, or cannot be started. */
    public static final String DOES_NOT_START = "DoesNotStart";
    /** Available: {@code spec.functions.enabled} of the project is false. */
    public static final String FUNCTIONS_DISABLED = "FunctionsDisabled";
    /** Available: {@code spec.suspend} of the project is true. */
    public static final String PROJECT_SUSPENDED = "ProjectSuspended";
    /** Available: the namespace has no Project of that name. */
    public static final String PROJECT_NOT_FOUND = "ProjectNotFound";
    /** Available: the Project is not provisioned, lost its claim, is paused before the first version, or is being deleted. */
    public static final String PROJECT_NOT_READY = "ProjectNotReady";
    /** Available: an older EdgeFunction of the project has the name. */
    public static final String NAME_CONFLICT = "NameConflict";
    /** Available: {@code spec.functions.maxFunctions} of the project is reached by older ones. */
    public static final String TOO_MANY_FUNCTIONS = "TooManyFunctions";
    /** Available: {@code spec.resources} exceeds the installation's maximum. */
    public static final String RESOURCES_TOO_LARGE = "ResourcesTooLarge";
    /** Available: an object of the function's name has another owner. */
    public static final String OBJECT_NOT_OWNED = "ObjectNotOwned";
    /** Event: a version began to serve. */
    public static final String DEPLOYED = "Deployed";

    /** Reasons that a retry alone does not lift: the condition Stalled has them, until a user acts. */
    private static final Set<String> STALLED =
            Set.of(BUNDLE_FAILED, NAME_CONFLICT, TOO_MANY_FUNCTIONS, OBJECT_NOT_OWNED, RESOURCES_TOO_LARGE);

    private FunctionReasons() {}

    static boolean isStalled(String reason) {
        return STALLED.contains(reason);
    }
}
