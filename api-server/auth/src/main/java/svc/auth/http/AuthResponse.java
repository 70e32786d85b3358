package svc.auth.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a call.
 *
 * @param body empty for 204 and for redirects
 */
public record AuthResponse(int status, Map<String, String> headers, Optional<JsonNode> body) {
    public AuthResponse {
        headers = Map.copyOf(headers);
    }

    public static AuthResponse ok(JsonNode body) {
        return new AuthResponse(200, Map.of(), Optional.of(body));
    }

    /** The empty object, which tells a client only that the call succeeded. */
    public static AuthResponse empty() {
        return ok(JsonNodeFactory.instance.objectNode());
    }

    public static AuthResponse noContent() {
        return new AuthResponse(204, Map.of(), Optional.empty());
    }

    /** Redirects a browser, which must neither cache the address nor send it on as a referrer. */
    public static AuthResponse redirect(int status, String address) {
        return new AuthResponse(
                status,
                Map.of("Location", address, "Cache-Control", "no-store", "Referrer-Policy", "no-referrer"),
                Optional.empty());
    }

    public AuthResponse with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new AuthResponse(status, more, body);
    }
}
