package svc.platform.dataplane;

import io.vertx.ext.web.RoutingContext;

/** Handles the requests for the control plane, and renders its own errors. */
public interface ControlPlaneHandler {
    /**
     * Takes over a request on the event loop, before its body is read: either answers it or passes it on with
     * {@link RoutingContext#next()}.
     */
    void handle(RoutingContext context);

    /** Whether scripts of other origins may call this path; its preflight is refused otherwise. */
    boolean isForScripts(RoutingContext context);

    /** Answers a request whose request target is not a valid URI. */
    void rejectMalformedUri(RoutingContext context);

    /** Answers a request that failed outside of any resource; the response may have begun already. */
    void handleFailure(RoutingContext context);
}
