package svc.functions;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.functions.FunctionRoute.Key;

/**
 * Starts a process where a call finds none, and lets calls wait for it: one attempt at a time for each function, so many
 * calls at most, so long at most.
 */
@ApplicationScoped
class Activation {
    private static final Logger LOG = Logger.getLogger(Activation.class);

    /** While calls wait, an attempt is made again: another instance may have stopped the process in the meantime. */
    private static final long AGAIN_MS = 300;

    private final FunctionEndpoints processes;
    private final ReplicaScaler scaling;
    private final InvocationConfig config;
    private final ExecutorService threads;
    private final Vertx vertx;
    private final Timer time;
    private final Map<Key, Deque<Waiting>> queues = new ConcurrentHashMap<>();
    private final Set<Key> underWay = ConcurrentHashMap.newKeySet();

    Activation(
            FunctionEndpoints processes,
            ReplicaScaler scaling,
            InvocationConfig config,
            @VirtualThreads ExecutorService threads,
            Vertx vertx,
            MeterRegistry metrics) {
        this.processes = processes;
        this.scaling = scaling;
        this.config = config;
        this.threads = threads;
        this.vertx = vertx;
        this.time = Timer.builder("svc.functions.activation")
                .description("Time from a call that found no process to one that was ready")
                .publishPercentileHistogram()
                .register(metrics);
        Gauge.builder(
                        "svc.functions.waiting",
                        queues,
                        all -> all.values().stream().mapToInt(Deque::size).sum())
                .description("Calls that wait for a process")
                .register(metrics);
        processes.onChange(this::changed);
    }

    private record Waiting(Promise<Void> promise, Context context, long since) {}

    /** Why a call cannot wait, or not longer. */
    enum Trouble {
        QUEUE_FULL,
        TOO_LATE
    }

    /** Carries a {@link Trouble}. */
    static final class NotActivated extends Exception {
        private static final long serialVersionUID = 1L;

        private final Trouble trouble;

        NotActivated(Trouble trouble) {
            super(trouble.name(), null, false, false);
            this.trouble = trouble;
        }

        Trouble trouble() {
            return trouble;
        }
    }

    /**
     * Completes on the caller's event loop when a process is ready, or fails with {@link NotActivated}. Must be called on an
     * event loop.
     */
    Future<Void> await(FunctionRoute route) {
        Key key = route.key();
        Promise<Void> promise = Promise.promise();
        Waiting waiting = new Waiting(promise, vertx.getOrCreateContext(), System.nanoTime());
        boolean[] full = {false};
        queues.compute(key, (unused, queue) -> {
            Deque<Waiting> now = queue == null ? new ArrayDeque<>() : queue;
            full[0] = now.size() >= config.activationQueue();
            if (!full[0]) {
                now.addLast(waiting);
            }
            return now;
        });
        if (full[0]) {
            return Future.failedFuture(new NotActivated(Trouble.QUEUE_FULL));
        }
        long late = vertx.setTimer(config.activationWait().toMillis(), timer -> {
            remove(key, waiting);
            promise.tryFail(new NotActivated(Trouble.TOO_LATE));
        });
        promise.future().onComplete(done -> vertx.cancelTimer(late));
        start(route);
        // A process may have become ready between the look and the wait.
        if (!processes.of(key).isEmpty()) {
            changed(key);
        }
        return promise.future();
    }

    /** Starts a process if there is none, and returns at once. */
    void start(FunctionRoute route) {
        Key key = route.key();
        if (!underWay.add(key)) {
            return;
        }
        threads.execute(() -> {
            try {
                scaling.change(key, 0, Math.max(1, route.scale().min()));
            } catch (KubernetesClientException e) {
                LOG.warnf(
                        "a process of %s/%s cannot be started now: %s", key.namespace(), key.object(), e.getMessage());
            } finally {
                vertx.setTimer(AGAIN_MS, timer -> {
                    underWay.remove(key);
                    if (queues.containsKey(key) && processes.of(key).isEmpty()) {
                        start(route);
                    }
                });
            }
        });
    }

    private void changed(Key key) {
        if (processes.of(key).isEmpty()) {
            return;
        }
        Deque<Waiting> queue = queues.remove(key);
        if (queue == null) {
            return;
        }
        for (Waiting waiting : List.copyOf(queue)) {
            time.record(System.nanoTime() - waiting.since(), TimeUnit.NANOSECONDS);
            waiting.context().runOnContext(now -> waiting.promise().tryComplete());
        }
    }

    private void remove(Key key, Waiting waiting) {
        queues.computeIfPresent(key, (unused, queue) -> {
            queue.remove(waiting);
            return queue.isEmpty() ? null : queue;
        });
    }
}
