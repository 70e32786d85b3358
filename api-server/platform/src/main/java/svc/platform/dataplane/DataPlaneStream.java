package svc.platform.dataplane;

import svc.platform.tenancy.Tenant;

/**
 * A service behind a project's host that takes and gives bodies as they come. The gateway has done host, request id, CORS
 * and, unless the path is open, credentials before it calls; the body has not been asked for yet.
 */
public interface DataPlaneStream {
    /** The first segment of the path, as {@link DataPlaneService#name()}; a name has one of the two. */
    String name();

    /**
     * Whether the gateway is to look at no credential, because the service or what is behind it does.
     *
     * @param path what follows {@code /<service>/v1}, percent-encoded as it came; begins with a slash
     */
    boolean isOpen(Tenant tenant, String path);

    /**
     * Answers one request. Called on the event loop, which it must not block, with the request paused.
     *
     * @throws RuntimeException for a fault of ours: the gateway answers 500 with CORS and request id and logs the cause
     */
    void serve(DataPlaneExchange exchange);

    /**
     * Answers a preflight, before any credential is looked at. Called on the event loop.
     *
     * @param otherwise the gateway's own answer, for a service that has none; instead of an answer, not after one
     */
    void preflight(DataPlaneExchange exchange, Runnable otherwise);
}
