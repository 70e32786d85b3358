package svc.realtime.sidecar;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.egress.EgressResponse;
import svc.platform.egress.WholeResponse;
import svc.platform.memory.ByteBudget;

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

    /** Of a whole answer, and of the head of one that opens a socket. A sidecar answers within milliseconds. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private static final int MAX_ANSWER_BYTES = 64 << 10;

    private final Vertx vertx;
    private final Duration limit;
    private final HttpClient client;

    @Inject
    SidecarClient(Vertx vertx) {
        this(vertx, ANSWER_LIMIT);
    }

    /** @param limit of an answer */
    SidecarClient(Vertx vertx, Duration limit) {
        this.vertx = vertx;
        this.limit = limit;
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
                    request.exceptionHandler(reported -> {});
                    for (String name : HEADERS) {
                        from.headers()
                                .getAll(name)
                                .forEach(value -> request.headers().add(name, value));
                    }
                    request.putHeader("x-request-id", exchange.requestId());
                });
    }

    /**
     * The whole answer to a request, within the limits of time and bytes.
     *
     * @param response to the request
     * @param memory of the project; closed at the end
     */
    Future<EgressResponse> whole(
            HttpClientRequest request, Future<HttpClientResponse> response, ByteBudget.Permit memory) {
        return new WholeResponse(request, MAX_ANSWER_BYTES, memory).within(vertx, limit, response);
    }

    /** Asks for a socket. The head of the answer comes within the limit of time, or the future fails. */
    Future<HttpClientResponse> upgrade(HttpClientRequest request) {
        request.putHeader("connection", "Upgrade").putHeader("upgrade", "websocket");
        long timer = vertx.setTimer(limit.toMillis(), late -> request.reset());
        return request.connect().onComplete(end -> vertx.cancelTimer(timer));
    }

    @PreDestroy
    void close() {
        client.close();
    }
}
