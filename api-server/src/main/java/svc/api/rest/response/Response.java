package svc.api.rest.response;

import java.util.Map;

/**
 * What goes back to the caller.
 *
 * @param headers beside those that the gateway sets
 * @param body UTF-8; empty for none
 */
public record Response(int status, Map<String, String> headers, byte[] body) {
    public Response {
        headers = Map.copyOf(headers);
    }
}
