package svc.platform.egress;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * One call to an address that a tenant chose.
 *
 * @param headers beside those that HTTP itself needs
 * @param body empty for none
 * @param maxBytes a longer answer is refused while it comes
 * @param limit of the whole call, from resolving the name to the last byte
 */
public record EgressCall(
        HttpMethod method, URI address, Map<String, String> headers, Buffer body, int maxBytes, Duration limit) {
    public EgressCall {
        headers = Map.copyOf(headers);
    }
}
