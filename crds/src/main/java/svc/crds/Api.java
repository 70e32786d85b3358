package svc.crds;

/** The API group of the three kinds and their shared constants. */
public final class Api {

    public static final String GROUP = "svc.platform";
    public static final String VERSION = "v1alpha1";

    /**
     * {@code kubectl get svc-platform} lists the three kinds together. Never plain {@code svc}: kubectl prefers a
     * category to a short name, so {@code kubectl get svc} would no longer list the Services of the cluster.
     */
    public static final String CATEGORY = "svc-platform";

    private Api() {}
}
