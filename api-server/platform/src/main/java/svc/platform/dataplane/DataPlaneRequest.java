package svc.platform.dataplane;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import svc.platform.tenancy.Tenant;

/**
 * A request as a service sees it.
 *
 * @param path what follows {@code /<service>/v1}, percent-encoded as it came; begins with a slash, {@code /} at least
 * @param query the raw query without the question mark, empty when there is none
 * @param body all of it, within the gateway's cap; empty for methods without one
 * @param peer who opened the connection: the client, or the last proxy before us
 * @param requestId accepted or minted by the gateway, already set on the response
 * @param admissionNanos what the gateway took to read and check the caller's credentials
 */
public record DataPlaneRequest(
        Tenant tenant,
        Caller caller,
        HttpMethod method,
        String path,
        String query,
        MultiMap headers,
        Buffer body,
        SocketAddress peer,
        String requestId,
        HttpServerResponse response,
        long admissionNanos) {
    /** A request that no gateway has admitted: part of another one. */
    public DataPlaneRequest(
            Tenant tenant,
            Caller caller,
            HttpMethod method,
            String path,
            String query,
            MultiMap headers,
            Buffer body,
            SocketAddress peer,
            String requestId,
            HttpServerResponse response) {
        this(tenant, caller, method, path, query, headers, body, peer, requestId, response, 0);
    }
}
