package svc.functions;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;

/** HTTP connections to functions' processes, kept alive while in use. */
@ApplicationScoped
class EndpointClient {
    private static final int CONNECT_MS = 2_000;
    private static final int KEPT_SECONDS = 30;
    private static final int HEADERS = 64 * 1024;

    private final HttpClient client;

    EndpointClient(Vertx vertx, InvocationConfig config) {
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout(CONNECT_MS)
                        .setKeepAliveTimeout(KEPT_SECONDS)
                        .setMaxHeaderSize(HEADERS)
                        .setMaxInitialLineLength(HEADERS)
                        .setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(config.maxConcurrent()));
    }

    /** Completes when there is a connection; nothing has been sent by then. */
    Future<HttpClientRequest> request(FunctionEndpoint process, HttpMethod method, String target) {
        return client.request(new RequestOptions()
                .setServer(process.address())
                .setHost("function")
                .setPort(80)
                .setMethod(method)
                .setURI(target));
    }

    @PreDestroy
    void close() {
        client.close();
    }
}
