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
public record AuthAnswer(int status, Map<String, String> headers, Optional<JsonNode> body) {
    public AuthAnswer {
        headers = Map.copyOf(headers);
    }

    public static AuthAnswer ok(JsonNode body) {
        return new AuthAnswer(200, Map.of(), Optional.of(body));
    }

    /** The empty object, which tells a client only that the call succeeded. */
    public static AuthAnswer empty() {
        return ok(JsonNodeFactory.instance.objectNode());
    }

    public static AuthAnswer noContent() {
        return new AuthAnswer(204, Map.of(), Optional.empty());
    }

    /** Redirects a browser, which must neither cache the address nor send it on as a referrer. */
    public static AuthAnswer redirect(int status, String address) {
        return new AuthAnswer(
                status,
                Map.of("Location", address, "Cache-Control", "no-store", "Referrer-Policy", "no-referrer"),
                Optional.empty());
    }

    public AuthAnswer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new AuthAnswer(status, more, body);
    }
}
