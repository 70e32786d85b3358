package svc.operator.function.variable;

import java.util.Set;

/** Reasons of a FunctionSecret's conditions. Programs may depend on them: part of the API. */
public final class SecretReasons {
    /** ValueFound. */
    public static final String FOUND = "Found";
    /** ValueFound: the Secret does not exist. */
    public static final String SECRET_MISSING = "SecretMissing";
    /** ValueFound: the Secret lacks the key. */
    public static final String KEY_MISSING = "KeyMissing";
    /** ValueFound: the value is not valid for an environment variable. */
    public static final String VALUE_INVALID = "ValueInvalid";
    /** ValueFound: the Secret belongs to the platform, or to another project. */
    public static final String SECRET_NOT_ALLOWED = "SecretNotAllowed";
    /** ValueFound: the platform or the runtime sets variables of that name. */
    public static final String RESERVED_NAME = "ReservedName";
    /** ValueFound: an older FunctionSecret sets the same variable of the same function. */
    public static final String CONFLICT = "Conflict";
    /** Applied: the function's processes run with the value. */
    public static final String VALUE_APPLIED = "ValueApplied";
    /** Applied: processes with the value are starting. */
    public static final String ROLLING_OUT = "RollingOut";
    /** Applied: the function does not exist yet. */
    public static final String FUNCTION_NOT_FOUND = "FunctionNotFound";
    /** Applied: the value is missing; processes keep the earlier one. */
    public static final String NO_VALUE = "NoValue";
    /** Both: the namespace has no provisioned Project of that name. */
    public static final String PROJECT_NOT_READY = "ProjectNotReady";

    /** Reasons that a retry alone does not lift; a missing Secret may still come, of another controller. */
    private static final Set<String> STALLED = Set.of(VALUE_INVALID, SECRET_NOT_ALLOWED, RESERVED_NAME, CONFLICT);

    private SecretReasons() {}

    /** Whether the condition Stalled has the reason, until a user acts. */
    public static boolean isStalled(String reason) {
        return STALLED.contains(reason);
    }
}
