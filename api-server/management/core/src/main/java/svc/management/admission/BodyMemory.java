package svc.management.admission;

import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;
import svc.platform.memory.ByteBudget;

/**
 * The memory of the current request's body. It is returned when the request is over for the framework, which is after
 * the end of its resource: a client that leaves does not end the work.
 */
@RequestScoped
public class BodyMemory {
    private static final String KEY = "svc.body-memory";

    private Optional<ByteBudget.Permit> held = Optional.empty();

    /** Leaves the permit for the request that the context leads to. */
    public static void pass(RoutingContext context, ByteBudget.Permit permit) {
        context.put(KEY, permit);
    }

    void takeFrom(RoutingContext context) {
        held = Optional.ofNullable(context.get(KEY));
    }

    @PreDestroy
    void close() {
        held.ifPresent(ByteBudget.Permit::close);
    }
}
