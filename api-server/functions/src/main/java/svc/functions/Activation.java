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
 * Starts a process for a call that finds none, and queues calls until it is ready: one attempt at a time per function,
 * with a bounded queue and a bounded wait.
 */
@ApplicationScoped
class Activation {
    private static final Logger LOG = Logger.getLogger(Activation.class);

    /** Retry interval while calls wait: another instance may have stopped the process in the meantime. */
    private static final long RETRY_MS = 300;

    private final FunctionEndpoints processes;
    private final ReplicaScaler scaling;
    private final InvocationConfig config;
    private final ExecutorService threads;
    private final Vertx vertx;
    private final Timer time;
    private final Map<Key, Deque<Waiting>> queues = new ConcurrentHashMap<>();
    private final Set<Key> starting = ConcurrentHashMap.newKeySet();

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
                .description("Time from a call without a ready process until one was ready")
                .publishPercentileHistogram()
                .register(metrics);
        Gauge.builder(
                        "svc.functions.waiting",
                        queues,
                        all -> all.values().stream().mapToInt(Deque::size).sum())
                .description("Calls that wait for a ready process")
                .register(metrics);
        processes.onChange(this::changed);
    }

    private record Waiting(Promise<Void> promise, Context context, long since) {}

    /** The reason why a call cannot wait, or no longer. */
    enum Refusal {
        QUEUE_FULL,
        TIMED_OUT
    }

    /** Carries a {@link Refusal}. */
    static final class NotActivated extends Exception {
        private static final long serialVersionUID = 1L;

        private final Refusal refusal;

        NotActivated(Refusal refusal) {
            super(refusal.name(), null, false, false);
            this.refusal = refusal;
        }

        Refusal refusal() {
            return refusal;
        }
    }

    /**
     * Completes on the caller's event loop when a process is ready, or fails with {@link NotActivated}. Must be called
     * on an event loop.
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
            return Future.failedFuture(new NotActivated(Refusal.QUEUE_FULL));
        }
        long late = vertx.setTimer(config.activationWait().toMillis(), timer -> {
            remove(key, waiting);
            promise.tryFail(new NotActivated(Refusal.TIMED_OUT));
        });
        promise.future().onComplete(done -> vertx.cancelTimer(late));
        start(route);
        // A process may have become ready after the caller checked and before it was queued.
        if (!processes.of(key).isEmpty()) {
            changed(key);
        }
        return promise.future();
    }

    /** Starts a process if there is none, and returns at once. */
    void start(FunctionRoute route) {
        Key key = route.key();
        if (!starting.add(key)) {
            return;
        }
        threads.execute(() -> {
            try {
                scaling.change(key, 0, Math.max(1, route.scale().min()));
            } catch (KubernetesClientException e) {
                LOG.warnf("failed to start a process of %s/%s: %s", key.namespace(), key.object(), e.getMessage());
            } finally {
                vertx.setTimer(RETRY_MS, timer -> {
                    starting.remove(key);
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
