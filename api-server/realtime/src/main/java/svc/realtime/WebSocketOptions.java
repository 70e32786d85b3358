package svc.realtime;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/**
 * The server's limits of WebSocket frames. Compression is off: a small frame could decompress to any size, before anything
 * of ours counts it, and each socket would keep the tables of two compressors.
 */
@Singleton
class WebSocketOptions implements HttpServerOptionsCustomizer {
    private final RealtimeConfig config;

    WebSocketOptions(RealtimeConfig config) {
        this.config = config;
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        apply(options, Math.toIntExact(config.maxMessage().asLongValue()));
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        customizeHttpServer(options);
    }

    /** @param maxMessage in bytes */
    static HttpServerOptions apply(HttpServerOptions options, int maxMessage) {
        return options.setMaxWebSocketFrameSize(maxMessage)
                .setMaxWebSocketMessageSize(maxMessage)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false);
    }
}
