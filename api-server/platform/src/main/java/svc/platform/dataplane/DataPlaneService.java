package svc.platform.dataplane;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A service behind a project's host. Before it calls, the gateway has handled host, request id, CORS, credentials and
 * the body limit; it renders the exceptions of a service.
 */
public interface DataPlaneService {
    /** The first segment of the path; the same as {@link ServiceDescriptor#service()}. */
    String name();

    /**
     * The calls with fixed paths, such as {@code PUT /admin/users/{id}}, so that a check can walk them all. None for a service
     * whose paths are names of a tenant.
     */
    default List<String> calls() {
        return List.of();
    }

    /**
     * Answers one request. Called on a virtual thread: it may block, and must end the response.
     *
     * @throws RuntimeException for an internal error: the gateway logs the cause and answers 500 with CORS and request
     *     id
     */
    void handle(DataPlaneRequest request);

    /**
     * Starts to answer a request on the event loop if that neither blocks nor takes long; otherwise the gateway calls
     * {@link #handle}. The returned stage completes when the response has ended, and fails for an internal error.
     */
    default Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        return Optional.empty();
    }
}
