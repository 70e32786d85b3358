package svc.management.query;

import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Observes whether the client of a request still waits for the response. */
final class CallerConnection {
    private CallerConnection() {}

    /** Completes when the connection is closed or the response is sent, whichever is first. */
    static CompletionStage<Void> goneFrom(RoutingContext context) {
        var gone = new CompletableFuture<Void>();
        context.addEndHandler(end -> gone.complete(null));
        return gone;
    }
}
