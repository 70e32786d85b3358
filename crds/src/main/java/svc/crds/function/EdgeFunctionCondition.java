package svc.crds.function;

/** The condition types of an EdgeFunction beside Ready. */
public final class EdgeFunctionCondition {

    /** The code is bundled and its start was verified. */
    public static final String BUNDLE_READY = "BundleReady";

    /** The function accepts calls. */
    public static final String AVAILABLE = "Available";

    private EdgeFunctionCondition() {}
}
