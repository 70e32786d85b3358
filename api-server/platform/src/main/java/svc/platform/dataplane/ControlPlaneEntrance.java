package svc.platform.dataplane;

import io.vertx.ext.web.RoutingContext;

/** Where requests for the control plane go; what is behind it renders its own errors. */
public interface ControlPlaneEntrance {
    /**
     * Takes over a request, on the event loop, with its body not read yet; either answers it or passes it on with
     * {@link RoutingContext#next()}.
     */
    void enter(RoutingContext context);

    /** Answers a request whose address is no URI. */
    void unreadable(RoutingContext context);

    /** Answers a request that failed outside of any resource; the response may have begun already. */
    void failed(RoutingContext context);
}
