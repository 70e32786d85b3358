package svc.rest.response;

import java.util.List;
import java.util.Map;

/**
 * What goes back to the caller.
 *
 * @param headers beside those that the gateway sets
 * @param further headers that may repeat one another
 * @param body UTF-8, or what the media type says; empty for none
 */
public record Response(int status, Map<String, String> headers, List<Header> further, byte[] body) {
    public Response {
        headers = Map.copyOf(headers);
        further = List.copyOf(further);
    }

    public Response(int status, Map<String, String> headers, byte[] body) {
        this(status, headers, List.of(), body);
    }

    /** A name and one value. */
    public record Header(String name, String value) {}
}
