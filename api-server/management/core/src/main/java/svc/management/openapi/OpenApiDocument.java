package svc.management.openapi;

import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.openapi.runtime.io.Format;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * Has the OpenAPI document made off the event loops. The framework makes it at its first request, on the loop of that request:
 * half a second of a processor, for which all others on the loop would wait.
 */
@ApplicationScoped
public class OpenApiDocument {
    private static final String PATH = "/v1/openapi";

    private final OpenApiDocumentService document;
    private final ExecutorService virtualThreads;
    private volatile boolean made;

    OpenApiDocument(OpenApiDocumentService document, @VirtualThreads ExecutorService virtualThreads) {
        this.document = document;
        this.virtualThreads = virtualThreads;
    }

    /** Whether a request for this path needs the document, and it is not made yet. */
    public boolean isMissingFor(String path) {
        return !made && path.startsWith(PATH);
    }

    /** Makes the document, then goes on with the request on its event loop. */
    public void make(RoutingContext context, Consumer<RoutingContext> then) {
        HttpServerRequest request = context.request();
        request.pause();
        Context loop = context.vertx().getOrCreateContext();
        virtualThreads.execute(() -> {
            try {
                document.getDocument(Format.JSON);
                made = true;
                loop.runOnContext(now -> then.accept(context));
            } catch (RuntimeException e) {
                loop.runOnContext(now -> context.fail(e));
            }
        });
    }
}
