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

/** Starts one more process of a function whose processes have too many calls at once, as this instance sees them. */
@ApplicationScoped
class ScaleUp {
    private static final Logger LOG = Logger.getLogger(ScaleUp.class);

    /** A process takes calls some tenths of a second after it was asked for. */
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final FunctionEndpoints processes;
    private final ReplicaScaler scaling;
    private final InvocationConfig config;
    private final ExecutorService threads;
    private final Map<Key, Long> grown = new ConcurrentHashMap<>();

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
    void look(FunctionRoute route) {
        List<FunctionEndpoint> ready = processes.of(route.key());
        int calls = ready.stream().mapToInt(FunctionEndpoint::calls).sum();
        if (calls <= (long) ready.size() * config.concurrency() || ready.size() >= route.most()) {
            return;
        }
        long now = System.nanoTime();
        Long last = grown.get(route.key());
        if (last != null && now - last < PAUSE_NANOS) {
            return;
        }
        grown.put(route.key(), now);
        threads.execute(() -> {
            try {
                scaling.change(route.key(), ready.size(), ready.size() + 1);
            } catch (KubernetesClientException e) {
                LOG.warnf(
                        "no further process of %s/%s can be started now: %s",
                        route.key().namespace(), route.key().object(), e.getMessage());
            }
        });
    }
}
