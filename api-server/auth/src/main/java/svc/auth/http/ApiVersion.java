package svc.auth.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** The two encodings of GoTrue's errors, of which the client chooses one by a header. */
public enum ApiVersion {
    /** {@code code} is the HTTP status, {@code error_code} the code. */
    INITIAL,
    /** {@code code} is the code; the answer repeats the version, without which auth-js does not read it. */
    OF_2024_01_01;

    /** With the date of the version. */
    public static final String HEADER = "X-Supabase-Api-Version";

    private static final String DATE = "2024-01-01";

    /** @param header of the request; null when it has none */
    public static ApiVersion of(String header) {
        return header != null && header.compareTo(DATE) >= 0 ? OF_2024_01_01 : INITIAL;
    }

    /** @param message the error's own, or the one with the causes inside the project */
    public ObjectNode body(AuthError error, String message) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        return switch (this) {
            case INITIAL ->
                body.put("code", error.status()).put("error_code", error.code()).put("msg", message);
            case OF_2024_01_01 -> body.put("code", error.code()).put("message", message);
        };
    }

    /** Of the answer. */
    public Map<String, String> headers() {
        return this == INITIAL ? Map.of() : Map.of(HEADER, DATE);
    }
}
