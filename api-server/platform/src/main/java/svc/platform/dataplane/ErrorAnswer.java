package svc.platform.dataplane;

import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * An error response that the gateway sends in place of a service. The gateway adds CORS headers and the request id.
 *
 * @param body members in the order in which they are sent
 */
public record ErrorAnswer(int status, JsonObject body, Map<String, String> headers) {
    public ErrorAnswer {
        headers = Map.copyOf(headers);
    }

    /** A body of {@code code} and {@code message} without additional headers. */
    public static ErrorAnswer of(int status, String code, String message) {
        return new ErrorAnswer(status, new JsonObject().put("code", code).put("message", message), Map.of());
    }

    /** The same answer with these headers instead of its own. */
    public ErrorAnswer withHeaders(Map<String, String> other) {
        return new ErrorAnswer(status, body, other);
    }
}
