package svc.platform.dataplane;

import java.util.List;
import svc.platform.tenancy.Tenant;

/**
 * A service behind a project's host that streams request and response bodies. Before it calls, the gateway has handled
 * host, request id, CORS and, unless the path is open, credentials; the body has not been read.
 */
public interface DataPlaneStream {
    /**
     * The first segment of the path, as {@link DataPlaneService#name()}; a service implements one of the two
     * interfaces.
     */
    String name();

    /**
     * The calls with fixed paths, such as {@code PUT /admin/users/{id}}, so that a check can walk them all. None for a service
     * whose paths are names of a tenant.
     */
    default List<String> calls() {
        return List.of();
    }

    /**
     * Whether the gateway skips the credential check because the service, or the code behind it, does its own.
     *
     * @param path what follows {@code /<service>/v1}, percent-encoded as received; begins with a slash
     */
    boolean isOpen(Tenant tenant, String path);

    /**
     * Answers one request. Called on the event loop, which it must not block, with the request paused.
     *
     * @throws RuntimeException for an internal error: the gateway logs the cause and answers 500 with CORS and request
     *     id
     */
    void serve(DataPlaneExchange exchange);

    /**
     * Answers a preflight, before credentials are checked. Called on the event loop.
     *
     * @param otherwise sends the gateway's own answer, for a service that has none; called instead of answering, not
     *     after it
     */
    void preflight(DataPlaneExchange exchange, Runnable otherwise);
}
