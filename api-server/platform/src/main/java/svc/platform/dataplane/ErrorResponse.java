package svc.platform.dataplane;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;

/**
 * An error response that the gateway sends in place of a service. The gateway adds CORS headers and the request id.
 *
 * @param body members in the order in which they are sent
 */
public record ErrorResponse(int status, JsonObject body, Map<String, String> headers) {
    private static final Set<String> POSTGREST_KEYS = Set.of("code", "details", "hint", "message");

    public ErrorResponse {
        headers = Map.copyOf(headers);
    }

    /** A body of {@code code} and {@code message} without additional headers. */
    public static ErrorResponse of(int status, String code, String message) {
        return new ErrorResponse(status, new JsonObject().put("code", code).put("message", message), Map.of());
    }

    /**
     * The body with the request id, which support asks for, unless it is PostgREST's: that has four keys and no other, so
     * that the id is in the header only.
     */
    public JsonObject identified(String requestId) {
        return body.fieldNames().equals(POSTGREST_KEYS) ? body : body.copy().put("request_id", requestId);
    }

    /** The same answer with these headers instead of its own. */
    public ErrorResponse withHeaders(Map<String, String> other) {
        return new ErrorResponse(status, body, other);
    }
}
