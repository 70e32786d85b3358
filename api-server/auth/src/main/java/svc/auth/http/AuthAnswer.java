package svc.auth.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a call is answered with.
 *
 * @param body empty for 204
 */
public record AuthAnswer(int status, Map<String, String> headers, Optional<JsonNode> body) {
    public AuthAnswer {
        headers = Map.copyOf(headers);
    }

    public static AuthAnswer ok(JsonNode body) {
        return new AuthAnswer(200, Map.of(), Optional.of(body));
    }

    public static AuthAnswer nothing() {
        return new AuthAnswer(204, Map.of(), Optional.empty());
    }

    /** Sends a browser elsewhere, which shall keep nothing and tell nobody where it came from. */
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
