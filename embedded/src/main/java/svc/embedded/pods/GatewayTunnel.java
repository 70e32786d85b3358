package svc.embedded.pods;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.Optional;

/** A WebSocket of a function to its project. A side that does not read stops the other. */
final class GatewayTunnel {
    private static final int BAD_GATEWAY = 502;

    private final FunctionGateway gateway;
    private final HttpServerRequest request;
    private final String host;

    GatewayTunnel(FunctionGateway gateway, HttpServerRequest request, String host) {
        this.gateway = gateway;
        this.request = request;
        this.host = host;
    }

    /** Completes when the WebSocket is closed; fails when there is none, after the function has got the answer. */
    Future<Void> open() {
        var options = new WebSocketConnectOptions();
        // This client would connect to the host of the request: send it as a header instead.
        options.setHost(gateway.address().host())
                .setPort(gateway.address().port())
                .setURI(request.uri());
        options.addHeader("Host", host);
        Optional.ofNullable(request.getHeader("Sec-WebSocket-Protocol")).ifPresent(options::addSubProtocol);
        Optional.ofNullable(request.getHeader("Authorization"))
                .ifPresent(credential -> options.addHeader("Authorization", credential));
        return gateway.webSockets()
                .connect(options)
                .onFailure(error -> GatewaySocket.refuse(
                        request.response(),
                        error instanceof UpgradeRejectedException refused ? refused.getStatus() : BAD_GATEWAY,
                        "the gateway opens no WebSocket"))
                .compose(far ->
                        request.toWebSocket().onFailure(gone -> far.close()).compose(near -> joined(near, far)));
    }

    private static Future<Void> joined(WebSocketBase near, WebSocketBase far) {
        Promise<Void> over = Promise.promise();
        join(near, far, over);
        join(far, near, over);
        return over.future();
    }

    private static void join(WebSocketBase from, WebSocketBase to, Promise<Void> over) {
        from.frameHandler(frame -> {
            if (!frame.isClose() && !frame.isPing()) {
                to.writeFrame(frame);
                if (to.writeQueueFull()) {
                    from.pause();
                    to.drainHandler(room -> from.resume());
                }
            }
        });
        from.closeHandler(closed -> {
            to.close();
            over.tryComplete();
        });
        from.exceptionHandler(broken -> to.close());
    }
}
