package svc.platform.dataplane;

import io.vertx.core.http.HttpServerRequest;
import svc.platform.tenancy.Tenant;

/**
 * A request as a {@link DataPlaneStream} gets it.
 *
 * @param caller {@link Caller#anon()} where the path is open
 * @param path what follows {@code /<service>/v1}, percent-encoded as it came; begins with a slash
 * @param query the raw query without the question mark, empty when there is none
 * @param request paused; its body has not been asked for
 * @param requestId accepted or minted by the gateway, already set on the response
 */
public record DataPlaneExchange(
        Tenant tenant, Caller caller, String path, String query, HttpServerRequest request, String requestId) {}
