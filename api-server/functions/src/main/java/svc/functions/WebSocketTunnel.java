package svc.functions;

import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.NetSocket;
import java.util.Locale;

/** A WebSocket between client and function: after the upgrade, bytes pass uninterpreted in both directions. */
final class WebSocketTunnel {
    private static final int SWITCHING = 101;

    private final FunctionCall call;
    private final HttpClientRequest request;

    WebSocketTunnel(FunctionCall call, HttpClientRequest request) {
        this.call = call;
        this.request = request;
    }

    /** Whether a request asks for a WebSocket upgrade. */
    static boolean isAsked(HttpServerRequest request) {
        String connection = request.getHeader(HttpHeaders.CONNECTION);
        return request.method().equals(HttpMethod.GET)
                && connection != null
                && connection.toLowerCase(Locale.ROOT).contains("upgrade")
                && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE));
    }

    void open() {
        request.putHeader(HttpHeaders.CONNECTION, "Upgrade").putHeader(HttpHeaders.UPGRADE, "websocket");
        request.connect().onSuccess(this::answered).onFailure(broken -> call.breakOff());
    }

    private void answered(HttpClientResponse answer) {
        if (call.isOver()) {
            return;
        }
        if (answer.statusCode() != SWITCHING) {
            new ResponseForwarder(call, answer).start();
            return;
        }
        call.keepOpen();
        HttpServerResponse response = call.exchange().request().response();
        response.setStatusCode(SWITCHING);
        CallHeaders.back(answer.headers(), response.headers());
        response.putHeader(HttpHeaders.CONNECTION, "Upgrade").putHeader(HttpHeaders.UPGRADE, "websocket");
        NetSocket process = answer.netSocket();
        process.pause();
        call.exchange()
                .request()
                .toNetSocket()
                .onSuccess(caller -> join(caller, process))
                .onFailure(gone -> call.abandon());
    }

    private void join(NetSocket caller, NetSocket process) {
        pass(caller, process);
        pass(process, caller);
        caller.closeHandler(gone -> {
            process.close();
            call.succeed();
        });
        process.closeHandler(gone -> {
            caller.close();
            call.succeed();
        });
        caller.exceptionHandler(broken -> caller.close());
        process.exceptionHandler(broken -> process.close());
        caller.resume();
        process.resume();
    }

    private static void pass(NetSocket from, NetSocket to) {
        from.handler(piece -> {
            to.write(piece);
            if (to.writeQueueFull()) {
                from.pause();
                to.drainHandler(room -> from.resume());
            }
        });
    }
}
