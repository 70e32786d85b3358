package svc.server.connection;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import svc.platform.dataplane.RequestId;

/** Answers a request whose head cannot be read, like the gateway answers its errors. */
final class InvalidRequest {
    /** Time for the client to read the answer before the connection breaks, because it may still be sending. */
    private static final long LINGER_MS = 200;

    private InvalidRequest() {}

    static void answer(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        if (cause instanceof TooLongHttpLineException) {
            send(
                    request,
                    414,
                    "uri_too_long",
                    "The URL is too long. Send long filters in several requests, or call a" + " function with POST.");
        } else if (cause instanceof TooLongHttpHeaderException) {
            send(request, 431, "headers_too_large", "The headers are too large.");
        } else {
            send(request, 400, "bad_request", "The request is not valid HTTP.");
        }
    }

    private static void send(HttpServerRequest request, int status, String code, String message) {
        String id = RequestId.fresh();
        HttpServerResponse response = request.response();
        response.setStatusCode(status)
                .putHeader("content-type", "application/json; charset=utf-8")
                .putHeader("connection", "close")
                .putHeader(RequestId.HEADER, id)
                .putHeader(RequestId.SUPABASE_HEADER, id)
                .putHeader("access-control-allow-origin", "*")
                .putHeader("access-control-expose-headers", "x-request-id, sb-request-id");
        JsonObject body =
                new JsonObject().put("code", code).put("message", message).put("request_id", id);
        Vertx vertx = Vertx.currentContext().owner();
        response.end(body.toBuffer())
                .onComplete(sent ->
                        vertx.setTimer(LINGER_MS, late -> request.connection().close()));
    }
}
