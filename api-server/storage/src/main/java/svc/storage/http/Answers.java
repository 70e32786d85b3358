package svc.storage.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;

/** Writes answers of JSON. */
public final class Answers {
    private Answers() {}

    public static void json(StorageCall call, JsonNode body) {
        send(call.response(), 200, call.request().method(), body.toString());
    }

    /** @param json as it is sent */
    public static void text(StorageCall call, String json) {
        send(call.response(), 200, call.request().method(), json);
    }

    /** A body of one message. */
    public static void message(StorageCall call, String message) {
        json(call, StorageCall.newObject().put("message", message));
    }

    /** Sends an error, unless an answer has begun: then only a broken connection tells that it is incomplete. */
    public static void error(HttpServerResponse response, HttpMethod method, String requestId, StorageError error) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        ObjectNode body = body(error);
        if (error.httpStatus() >= 500) {
            body.put("request_id", requestId);
        }
        if (error.passing()) {
            response.putHeader("retry-after", "1");
        }
        response.headers()
                .remove("content-length")
                .remove("content-type")
                .remove("content-range")
                .remove("content-disposition")
                .remove("etag")
                .remove("last-modified")
                .remove("cache-control");
        error.contentRange().ifPresent(range -> response.putHeader("content-range", range));
        send(response, error.httpStatus(), method, body.toString());
    }

    /** What an error says. */
    public static ObjectNode body(StorageError error) {
        return StorageCall.newObject()
                .put("statusCode", Integer.toString(error.status()))
                .put("error", error.error())
                .put("message", error.getMessage())
                .put("code", error.code());
    }

    private static void send(HttpServerResponse response, int status, HttpMethod method, String body) {
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status).putHeader("content-type", "application/json; charset=utf-8");
        if (method.equals(HttpMethod.HEAD)) {
            response.end().onFailure(gone -> response.close());
        } else {
            response.end(body).onFailure(gone -> response.close());
        }
    }
}
