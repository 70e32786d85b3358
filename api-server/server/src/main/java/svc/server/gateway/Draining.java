package svc.server.gateway;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Sends clients elsewhere while this process, told to end, still answers ({@code quarkus.shutdown.delay}). New connections do not
 * come any more by then; those that are kept open would be cut off in the middle of whatever they ask next. So each is
 * closed after its next answer, which says so (RFC 9112, 9.6).
 */
@ApplicationScoped
class Draining {
    private volatile boolean begun;

    /** Hooks run side by side: this one at the moment when the framework begins to wait. */
    void onStart(@Observes StartupEvent event) {
        Runtime.getRuntime().addShutdownHook(new Thread(this::begin, "draining"));
    }

    void begin() {
        begun = true;
    }

    void onEveryRequest(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (begun && request.getHeader("upgrade") == null) {
            context.response().putHeader("Connection", "close");
            context.addEndHandler(sent -> request.connection().close());
        }
    }
}
