package svc.operator.kubernetes;

import java.util.Map;

/** Labels of the objects that the operator creates. */
public final class Labels {
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String PART_OF = "app.kubernetes.io/part-of";
    /** The ref of the project that an object belongs to. */
    public static final String REF = "svc.platform/ref";
    /** What an object is for, such as {@code keys}. */
    public static final String PURPOSE = "svc.platform/purpose";

    /** Selects the pods of one function: the name of its Deployment ({@code svc.crds.function.FunctionObject}). */
    public static final String FUNCTION = "svc.platform/function";

    /** The project id, on objects that outlive the Project resource. */
    public static final String PROJECT_ID = "svc.platform/project-id";

    public static final String OPERATOR = "svc-operator";

    /** The value of {@link #MANAGED_BY} on objects that the Management API creates. */
    public static final String API = "svc-api";

    private Labels() {}

    public static Map<String, String> of(String ref, String purpose) {
        return Map.of(MANAGED_BY, OPERATOR, PART_OF, "svc", REF, ref, PURPOSE, purpose);
    }

    /** Selects the objects labelled by {@link #of} for a purpose, of all projects. */
    public static String selector(String purpose) {
        return MANAGED_BY + "=" + OPERATOR + "," + PURPOSE + "=" + purpose;
    }
}
