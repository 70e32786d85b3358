package svc.rest.response;

import java.util.List;
import java.util.Map;

/**
 * A response.
 *
 * @param headers without those of the gateway
 * @param additionalHeaders headers with possibly repeated names
 * @param body encoded as the media type says; empty for none
 */
public record Response(int status, Map<String, String> headers, List<Header> additionalHeaders, byte[] body) {
    public Response {
        headers = Map.copyOf(headers);
        additionalHeaders = List.copyOf(additionalHeaders);
    }

    public Response(int status, Map<String, String> headers, byte[] body) {
        this(status, headers, List.of(), body);
    }

    /** A header. */
    public record Header(String name, String value) {}
}
