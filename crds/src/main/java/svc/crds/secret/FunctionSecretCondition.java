package svc.crds.secret;

/** The condition types of a FunctionSecret beside Ready. */
public final class FunctionSecretCondition {

    /** The Secret and its key exist. */
    public static final String VALUE_FOUND = "ValueFound";

    /** The function runs with the value. */
    public static final String APPLIED = "Applied";

    private FunctionSecretCondition() {}
}
