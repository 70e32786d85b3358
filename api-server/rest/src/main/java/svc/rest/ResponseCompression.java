package svc.rest;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import svc.platform.dataplane.DataPlaneRequest;
import svc.rest.response.Gzip;
import svc.rest.response.Response;

/** Decides whether and where a response is compressed: a short one at once, a long one not on an event loop. */
final class ResponseCompression {
    /** Compressed in less than a millisecond. */
    private static final int MAX_EVENT_LOOP_BYTES = 64 * 1024;

    /** The longest responses take half a second each; beyond these they are sent as they are. */
    private static final int MAX_WAITING = 16;

    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = threads();

    private static ThreadPoolExecutor threads() {
        var threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), work -> {
                    var thread = new Thread(work, "rest-compression");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** The response as the client accepts it. */
    CompletableFuture<Response> of(DataPlaneRequest request, Response response) {
        if (!Gzip.applies(response, request.headers().getAll("Accept-Encoding"))) {
            return CompletableFuture.completedFuture(response);
        }
        if (response.body().length <= MAX_EVENT_LOOP_BYTES) {
            return CompletableFuture.completedFuture(Gzip.compressed(response));
        }
        try {
            return CompletableFuture.supplyAsync(() -> Gzip.compressed(response), threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(response);
        }
    }
}
