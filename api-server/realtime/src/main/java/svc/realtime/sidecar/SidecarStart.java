package svc.realtime.sidecar;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.platform.workload.DeploymentScale;

/** Starts a sidecar for a socket that finds none: one attempt at a time, with a bounded queue and a bounded wait. */
@ApplicationScoped
class SidecarStart {
    private static final Logger LOG = Logger.getLogger(SidecarStart.class);

    /** Retry interval while sockets wait: another instance may have stopped the sidecar in the meantime. */
    private static final long RETRY_MS = 500;

    private final SidecarEndpoints endpoints;
    private final DeploymentScale scale;
    private final SidecarConfig config;
    private final ExecutorService threads;
    private final Vertx vertx;
    private final Map<Sidecar, Deque<Waiting>> queues = new ConcurrentHashMap<>();
    private final Set<Sidecar> starting = ConcurrentHashMap.newKeySet();

    private record Waiting(Promise<Void> promise, Context context) {}

    SidecarStart(
            SidecarEndpoints endpoints,
            DeploymentScale scale,
            SidecarConfig config,
            @VirtualThreads ExecutorService threads,
            Vertx vertx) {
        this.endpoints = endpoints;
        this.scale = scale;
        this.config = config;
        this.threads = threads;
        this.vertx = vertx;
        endpoints.onReady(this::ready);
    }

    /** Completes on the caller's event loop when the sidecar is ready; fails when the queue is full, or it takes too long. */
    Future<Void> await(Sidecar sidecar) {
        Promise<Void> promise = Promise.promise();
        var waiting = new Waiting(promise, vertx.getOrCreateContext());
        boolean[] full = {false};
        queues.compute(sidecar, (key, queue) -> {
            Deque<Waiting> now = queue == null ? new ArrayDeque<>() : queue;
            full[0] = now.size() >= config.waiting();
            if (!full[0]) {
                now.addLast(waiting);
            }
            return now;
        });
        if (full[0]) {
            return Future.failedFuture("too many sockets wait for the sidecar");
        }
        long late = vertx.setTimer(config.startWait().toMillis(), timer -> {
            leave(sidecar, waiting);
            promise.tryFail("the sidecar did not start in time");
        });
        promise.future().onComplete(end -> vertx.cancelTimer(late));
        start(sidecar);
        // It may have become ready after the caller asked and before it was queued.
        if (endpoints.of(sidecar).isPresent()) {
            ready(sidecar);
        }
        return promise.future();
    }

    private void start(Sidecar sidecar) {
        if (!starting.add(sidecar)) {
            return;
        }
        threads.execute(() -> {
            try {
                scale.change(sidecar.namespace(), sidecar.name(), 0, 1);
            } catch (KubernetesClientException e) {
                LOG.warnf("failed to start %s/%s: %s", sidecar.namespace(), sidecar.name(), e.getMessage());
            } finally {
                vertx.setTimer(RETRY_MS, timer -> {
                    starting.remove(sidecar);
                    if (queues.containsKey(sidecar) && endpoints.of(sidecar).isEmpty()) {
                        start(sidecar);
                    }
                });
            }
        });
    }

    private void ready(Sidecar sidecar) {
        Deque<Waiting> queue = queues.remove(sidecar);
        if (queue != null) {
            queue.forEach(waiting ->
                    waiting.context().runOnContext(now -> waiting.promise().tryComplete()));
        }
    }

    private void leave(Sidecar sidecar, Waiting waiting) {
        queues.computeIfPresent(sidecar, (key, queue) -> {
            queue.remove(waiting);
            return queue.isEmpty() ? null : queue;
        });
    }
}
