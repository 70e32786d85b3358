package svc.management.function;

/** Labels and annotations of what this API makes, for those who look at it with kubectl. */
final class ApiLabels {
    /** The ref of the project that an object belongs to. */
    static final String REF = "svc.platform/ref";

    /** What an object is for. */
    static final String PURPOSE = "svc.platform/purpose";

    /** The value of {@link #PURPOSE} on Secrets that FunctionSecrets name; the operator watches them by it. */
    static final String FUNCTION_SECRET = "function-secret";

    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String API = "svc-api";

    /** Which token made the object. */
    static final String TOKEN = "svc.platform/created-by-token";

    private ApiLabels() {}
}
