package svc.management.mcp.oauth;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Parameters of a request, each sent once at most (RFC 6749 section 3.1). An empty one counts as not sent. Pure. */
record OAuthForm(Map<String, String> values) {
    private static final int MAX_PARAMETERS = 64;

    OAuthForm {
        values = Map.copyOf(values);
    }

    /** @throws OAuthError for a repeated parameter */
    static OAuthForm ofBody(byte[] body) {
        return of(new String(body == null ? new byte[0] : body, StandardCharsets.UTF_8));
    }

    /** The same for a query string without its question mark; may be null. */
    static OAuthForm ofQuery(String query) {
        return of(query == null ? "" : query);
    }

    private static OAuthForm of(String encoded) {
        Map<String, String> values = new HashMap<>();
        try {
            var decoder = new QueryStringDecoder(encoded, StandardCharsets.UTF_8, false, MAX_PARAMETERS, true);
            for (Map.Entry<String, List<String>> parameter :
                    decoder.parameters().entrySet()) {
                if (parameter.getValue().size() > 1) {
                    throw OAuthError.of(
                            OAuthError.INVALID_REQUEST, "A parameter was sent twice: " + known(parameter.getKey()));
                }
                String value = parameter.getValue().getFirst();
                if (!value.isEmpty()) {
                    values.put(parameter.getKey(), value);
                }
            }
        } catch (IllegalArgumentException e) {
            throw OAuthError.of(OAuthError.INVALID_REQUEST, "The parameters are not URL-encoded.");
        }
        return new OAuthForm(values);
    }

    private static String known(String name) {
        return name.matches("[a-z_]{1,40}") ? name : "(another)";
    }

    Optional<String> optional(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** @throws OAuthError if it is missing */
    String required(String name) {
        return optional(name)
                .orElseThrow(() -> OAuthError.of(OAuthError.INVALID_REQUEST, "The parameter " + name + " is missing."));
    }
}
