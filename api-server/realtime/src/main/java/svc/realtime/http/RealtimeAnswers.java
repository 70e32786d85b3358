package svc.realtime.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.RequestBody;

/** Answers of requests. A body that was not read is discarded. */
public final class RealtimeAnswers {
    private RealtimeAnswers() {}

    /** An error in the form of Supabase's realtime. */
    public static void error(DataPlaneExchange exchange, int status, String message) {
        json(exchange, status, new JsonObject().put("error", message).put("message", message));
    }

    /** @param errors by member, in Supabase's form */
    static void unprocessable(DataPlaneExchange exchange, JsonObject errors) {
        json(exchange, 422, new JsonObject().put("errors", errors).put("message", "The messages are invalid"));
    }

    /** Answers, unless it was answered already. */
    public static void json(DataPlaneExchange exchange, int status, JsonObject body) {
        HttpServerResponse response = exchange.request().response();
        if (!response.ended() && !response.closed()) {
            response.setStatusCode(status)
                    .putHeader("content-type", "application/json; charset=utf-8")
                    .end(body.toBuffer())
                    .onFailure(gone -> response.close());
        }
        discard(exchange.request());
    }

    static void accepted(DataPlaneExchange exchange) {
        HttpServerResponse response = exchange.request().response();
        if (!response.ended() && !response.closed()) {
            response.setStatusCode(202).end().onFailure(gone -> response.close());
        }
    }

    private static void discard(HttpServerRequest request) {
        if (Vertx.currentContext() != null) {
            RequestBody.discard(request);
        }
    }
}
