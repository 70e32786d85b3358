package svc.server.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import svc.platform.dataplane.RequestId;

/** The answers that are sent before there is a request: with the gateway's headers and body, and the end of the connection. */
enum PlainResponse {
    INVALID_BODY(400, "Bad Request", "bad_request", "The body is not valid HTTP: its chunks cannot be read."),
    OTHER_PROTOCOL(400, "Bad Request", "bad_request", "The protocol of the request is neither HTTP/1.1 nor HTTP/1.0."),
    HEAD_TIMEOUT(408, "Request Timeout", "head_timeout", "The head of the request arrived too slowly."),
    TOO_MANY_CONNECTIONS(
            503, "Service Unavailable", "too_many_connections", "Too many connections are open. Retry the request."),
    OVERLOADED(503, "Service Unavailable", "overloaded", "The memory for requests is in use. Retry the request.");

    private final int status;
    private final String reason;
    private final String code;
    private final String message;

    PlainResponse(int status, String reason, String code, String message) {
        this.status = status;
        this.reason = reason;
        this.code = code;
        this.message = message;
    }

    void sendAndClose(ChannelHandlerContext context) {
        String id = RequestId.fresh();
        String body = new JsonObject()
                .put("code", code)
                .put("message", message)
                .put("request_id", id)
                .encode();
        String head = "HTTP/1.1 " + status + " " + reason + "\r\n"
                + "content-type: application/json; charset=utf-8\r\n"
                + "content-length: " + body.length() + "\r\n"
                + "connection: close\r\n"
                + RequestId.HEADER + ": " + id + "\r\n"
                + RequestId.SUPABASE_HEADER + ": " + id + "\r\n"
                + "access-control-allow-origin: *\r\n"
                + "access-control-expose-headers: x-request-id, sb-request-id, retry-after\r\n"
                + (status == 503 ? "retry-after: 1\r\n" : "")
                + "\r\n";
        context.writeAndFlush(Unpooled.copiedBuffer(head + body, StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
    }
}
