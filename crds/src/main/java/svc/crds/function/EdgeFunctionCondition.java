package svc.crds.function;

/** The condition types of an EdgeFunction beside Ready. */
public final class EdgeFunctionCondition {

    /** The code was bundled and starts. */
    public static final String BUNDLE_READY = "BundleReady";

    /** Calls are answered. */
    public static final String AVAILABLE = "Available";

    private EdgeFunctionCondition() {}
}
