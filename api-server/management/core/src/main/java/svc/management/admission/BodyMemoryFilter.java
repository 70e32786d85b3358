package svc.management.admission;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Ties the memory of a body to its request, whether or not there is a resource for it. */
public class BodyMemoryFilter {
    private final BodyMemory memory;
    private final RoutingContext context;

    BodyMemoryFilter(BodyMemory memory, RoutingContext context) {
        this.memory = memory;
        this.context = context;
    }

    @ServerRequestFilter(preMatching = true)
    public void hold(ContainerRequestContext request) {
        memory.takeFrom(context);
    }
}
