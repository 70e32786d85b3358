package svc.platform.dataplane;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One of the six services behind a project's host. The gateway has done host, request id, CORS, credentials and the body
 * cap before it calls, and renders what a service throws.
 */
public interface DataPlaneService {
    /** The first segment of the path: {@code rest}, {@code auth}, {@code storage}, {@code realtime}, … */
    String name();

    /**
     * Answers one request. Called on a virtual thread: it may block, and must end the response.
     *
     * @throws RuntimeException for a fault of ours: the gateway answers 500 with CORS and request id and logs the cause
     */
    void handle(DataPlaneRequest request);

    /**
     * Begins to answer a request on the event loop, if that takes neither waiting nor much work; otherwise the gateway
     * calls {@link #handle}. What is returned completes when the response was ended, and fails for a fault of ours.
     */
    default Optional<CompletionStage<Void>> begin(DataPlaneRequest request) {
        return Optional.empty();
    }
}
