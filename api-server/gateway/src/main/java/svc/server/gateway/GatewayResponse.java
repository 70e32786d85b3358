package svc.server.gateway;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import svc.platform.dataplane.ErrorResponse;
import svc.platform.dataplane.RequestBody;
import svc.platform.dataplane.RequestId;

/** Sends the gateway's own answers. */
final class GatewayResponse {
    private static final String JSON = "application/json; charset=utf-8";

    private GatewayResponse() {}

    /** Answers, and drops what comes of a body that was not read. */
    static void error(RoutingContext context, ErrorResponse error) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            // Part of an answer was sent; only a broken connection tells the client that it is incomplete.
            response.reset();
            return;
        }
        error.headers().forEach(response::putHeader);
        json(context, error.status(), error.identified(RequestId.of(context)), JSON);
        if (RequestBody.isExpected(context.request())) {
            RequestBody.discard(context.request());
        }
    }

    static void json(RoutingContext context, int status, JsonObject body) {
        json(context, status, body, JSON);
    }

    static void json(RoutingContext context, int status, JsonObject body, String mediaType) {
        HttpServerResponse response = context.response();
        response.setStatusCode(status).putHeader("content-type", mediaType);
        response.end(body.toBuffer()).onFailure(gone -> response.close());
    }
}
