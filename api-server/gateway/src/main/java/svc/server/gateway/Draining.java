package svc.server.gateway;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Moves clients to other processes while this one shuts down and still answers ({@code quarkus.shutdown.delay}). New
 * connections no longer arrive then, but kept-alive ones would be cut in the middle of their next request: so each is
 * closed after its next answer, which announces it (RFC 9112, 9.6).
 */
@ApplicationScoped
class Draining {
    private volatile boolean begun;

    /** Hooks run concurrently: this one at the moment when the framework starts to wait. */
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
