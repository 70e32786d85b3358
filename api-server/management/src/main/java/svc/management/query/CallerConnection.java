package svc.management.query;

import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Whether the caller of a request still waits for its answer. */
final class CallerConnection {
    private CallerConnection() {}

    /** Completes when the connection is closed or the answer is sent, whichever is first. */
    static CompletionStage<Void> goneFrom(RoutingContext context) {
        var gone = new CompletableFuture<Void>();
        context.addEndHandler(end -> gone.complete(null));
        return gone;
    }
}
