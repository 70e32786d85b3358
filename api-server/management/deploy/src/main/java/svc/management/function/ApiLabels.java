package svc.management.function;

/** Labels and annotations of the objects that this API creates. */
final class ApiLabels {
    /** The ref of the object's project. */
    static final String REF = "svc.platform/ref";

    /** The purpose of the object. */
    static final String PURPOSE = "svc.platform/purpose";

    /** The value of {@link #PURPOSE} on Secrets that FunctionSecrets reference; the operator watches them by it. */
    static final String FUNCTION_SECRET = "function-secret";

    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String API = "svc-api";

    /** The token that created the object. */
    static final String TOKEN = "svc.platform/created-by-token";

    private ApiLabels() {}
}
