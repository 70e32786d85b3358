package svc.operator.function.variable;

/** Reasons of a FunctionSecret's conditions, one word each that programs may rely on: part of the API. */
public final class SecretReasons {
    /** ValueFound. */
    public static final String FOUND = "Found";
    /** ValueFound: the Secret does not exist. */
    public static final String SECRET_MISSING = "SecretMissing";
    /** ValueFound: the Secret lacks the key. */
    public static final String KEY_MISSING = "KeyMissing";
    /** ValueFound: the value cannot be an environment variable. */
    public static final String VALUE_INVALID = "ValueInvalid";
    /** ValueFound: the Secret belongs to the platform, or to another project. */
    public static final String SECRET_NOT_ALLOWED = "SecretNotAllowed";
    /** ValueFound: the platform or the runtime sets variables of that name. */
    public static final String RESERVED_NAME = "ReservedName";
    /** ValueFound: an older FunctionSecret sets the same variable of the same function. */
    public static final String CONFLICT = "Conflict";
    /** Applied: the function's processes see the value. */
    public static final String VALUE_APPLIED = "ValueApplied";
    /** Applied: the function is being rolled with the value. */
    public static final String ROLLING_OUT = "RollingOut";
    /** Applied: there is no such function yet; the value waits for it. */
    public static final String FUNCTION_NOT_FOUND = "FunctionNotFound";
    /** Applied: the value is not there, what was seen before stays in force. */
    public static final String NO_VALUE = "NoValue";
    /** Both: no Project of that name is served in the namespace. */
    public static final String PROJECT_NOT_READY = "ProjectNotReady";

    private SecretReasons() {}
}
