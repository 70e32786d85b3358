package svc.realtime.sidecar;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import svc.platform.dataplane.DataPlaneExchange;

/** HTTP connections to sidecars. */
@ApplicationScoped
class SidecarClient {
    private static final int CONNECT_MS = 2_000;

    /** Of one sidecar; projects have limits of their own. */
    private static final int SOCKETS = 100_000;

    /** No public name ends so: a sidecar serves its project by this host alone. */
    private static final String HOST = ".realtime.internal";

    /** What a sidecar reads of a request; it verifies the credentials again. */
    private static final List<String> HEADERS = List.of(
            "apikey",
            "authorization",
            "content-type",
            "origin",
            "sec-websocket-key",
            "sec-websocket-version",
            "sec-websocket-protocol",
            "user-agent",
            "x-client-info");

    private final HttpClient client;

    SidecarClient(Vertx vertx) {
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(CONNECT_MS).setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(SOCKETS));
    }

    /** The same request for the sidecar; completes when there is a connection, and nothing has been sent by then. */
    Future<HttpClientRequest> request(SocketAddress sidecar, DataPlaneExchange exchange) {
        HttpServerRequest from = exchange.request();
        String path = "/realtime/v1" + exchange.path();
        return client.request(new RequestOptions()
                        .setServer(sidecar)
                        .setHost(exchange.tenant().ref() + HOST)
                        .setPort(80)
                        .setMethod(from.method())
                        .setURI(exchange.query().isEmpty() ? path : path + "?" + exchange.query()))
                .onSuccess(request -> {
                    // The response future reports failures; without this handler Vert.x logs them as unhandled.
                    request.exceptionHandler(told -> {});
                    for (String name : HEADERS) {
                        from.headers()
                                .getAll(name)
                                .forEach(value -> request.headers().add(name, value));
                    }
                    request.putHeader("x-request-id", exchange.requestId());
                });
    }

    @PreDestroy
    void close() {
        client.close();
    }
}
