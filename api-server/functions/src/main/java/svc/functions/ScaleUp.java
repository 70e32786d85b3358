package svc.functions;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;
import svc.functions.FunctionRoute.Key;

/** Starts another process of a function whose processes have too many concurrent calls, as seen by this instance. */
@ApplicationScoped
class ScaleUp {
    private static final Logger LOG = Logger.getLogger(ScaleUp.class);

    /** A new process accepts calls some tenths of a second after it was requested. */
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final FunctionEndpoints processes;
    private final ReplicaScaler scaling;
    private final InvocationConfig config;
    private final ExecutorService threads;
    private final Map<Key, Long> lastScaleUp = new ConcurrentHashMap<>();

    ScaleUp(
            FunctionEndpoints processes,
            ReplicaScaler scaling,
            InvocationConfig config,
            @VirtualThreads ExecutorService threads) {
        this.processes = processes;
        this.scaling = scaling;
        this.config = config;
        this.threads = threads;
    }

    /** Returns at once. */
    void check(FunctionRoute route) {
        List<FunctionEndpoint> ready = processes.of(route.key());
        int calls = ready.stream().mapToInt(FunctionEndpoint::calls).sum();
        if (calls <= (long) ready.size() * config.concurrency() || ready.size() >= route.maxProcesses()) {
            return;
        }
        long now = System.nanoTime();
        Long before = lastScaleUp.get(route.key());
        if (before != null && now - before < PAUSE_NANOS) {
            return;
        }
        lastScaleUp.put(route.key(), now);
        threads.execute(() -> {
            try {
                scaling.change(route.key(), ready.size(), ready.size() + 1);
            } catch (KubernetesClientException e) {
                LOG.warnf(
                        "failed to scale up %s/%s: %s",
                        route.key().namespace(), route.key().object(), e.getMessage());
            }
        });
    }
}
