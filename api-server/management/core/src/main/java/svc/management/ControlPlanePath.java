package svc.management;

import java.util.Arrays;
import java.util.Optional;

/**
 * The paths of the control plane's host: any other path answers 404 before a resource runs. A proxy in front of the control
 * plane needs exactly these. The Ingress and the HTTPRoute of the chart have them, and a test of the chart compares both.
 */
public enum ControlPlanePath {
    /** The status of the platform. */
    ROOT("/", Extent.EXACT),
    STATUS("/status", Extent.EXACT),
    V1("/v1", Extent.BELOW),
    /** Another name of {@link #V1}. */
    API("/api", Extent.BELOW),
    /** The index of the documentation. */
    LLMS_TXT("/llms.txt", Extent.EXACT),
    /** Where MCP clients find how to sign in (RFC 9728); the path of the resource follows. */
    PROTECTED_RESOURCE("/.well-known/oauth-protected-resource", Extent.TREE),
    /** The metadata of RFC 8414; the path of the issuer may follow. */
    AUTHORIZATION_SERVER("/.well-known/oauth-authorization-server", Extent.TREE);

    /** Which requests a path stands for; a segment is never cut. */
    public enum Extent {
        EXACT,
        /** What is below the path, without the path itself. */
        BELOW,
        /** The path and what is below it. */
        TREE
    }

    private final String path;
    private final Extent extent;

    ControlPlanePath(String path, Extent extent) {
        this.path = path;
        this.extent = extent;
    }

    public String path() {
        return path;
    }

    public Extent extent() {
        return extent;
    }

    /** The one that a request path belongs to; empty for a path that leads nowhere. */
    public static Optional<ControlPlanePath> of(String path) {
        return Arrays.stream(values()).filter(known -> known.contains(path)).findFirst();
    }

    private boolean contains(String asked) {
        return switch (extent) {
            case EXACT -> asked.equals(path);
            case BELOW -> isBelow(asked);
            case TREE -> asked.equals(path) || isBelow(asked);
        };
    }

    private boolean isBelow(String asked) {
        return asked.startsWith(path) && asked.startsWith("/", path.length());
    }
}
