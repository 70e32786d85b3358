package svc.functions;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import svc.functions.FunctionRoute.Key;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;

/**
 * Stops processes that nobody has called for the function's idle time, on any instance. When Redis is away nobody knows
 * what others were called for, and nothing is stopped.
 */
@ApplicationScoped
class ScaleDown {
    private static final Logger LOG = Logger.getLogger(ScaleDown.class);

    private final FunctionDirectory directory;
    private final FunctionEndpoints processes;
    private final ReplicaScaler scaling;
    private final LastCalls lastCalls;
    private final InvocationConfig config;
    private final MonotonicClock time;
    private final boolean serves;
    private final Map<Key, Seen> seen = new ConcurrentHashMap<>();
    private volatile Thread looking;

    ScaleDown(
            FunctionDirectory directory,
            FunctionEndpoints processes,
            ReplicaScaler scaling,
            LastCalls lastCalls,
            InvocationConfig config,
            MonotonicClock time,
            ApiConfig api) {
        this.directory = directory;
        this.processes = processes;
        this.scaling = scaling;
        this.lastCalls = lastCalls;
        this.config = config;
        this.time = time;
        this.serves = api.roles().contains(ServerRole.DATA);
    }

    /** Times are those of {@link MonotonicClock}. */
    private static final class Seen {
        private volatile long last;
        private long told;
        private Duration toldFor = Duration.ZERO;

        Seen(long now) {
            this.last = now;
            this.told = now - 1;
        }
    }

    void start(@Observes StartupEvent event) {
        if (serves && config.scaling()) {
            looking = Thread.ofVirtual().name("idle-functions").start(this::look);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        Thread thread = looking;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** A call begins or ends. */
    void called(Key key) {
        Seen known = seen.get(key);
        if (known != null) {
            known.last = time.nanos();
        } else {
            seen.put(key, new Seen(time.nanos()));
        }
    }

    private void look() {
        try {
            while (true) {
                Thread.sleep(config.idleCheck());
                seen.keySet().retainAll(processes.running());
                for (Key key : processes.running()) {
                    look(key);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Key key) {
        try {
            Optional<FunctionRoute> route = directory.find(key);
            if (route.isPresent()) {
                look(key, route.get());
            }
        } catch (KubernetesClientException e) {
            LOG.warnf(
                    "idle processes of %s/%s cannot be stopped now: %s", key.namespace(), key.object(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.debugf(e, "nobody knows whether %s/%s is idle", key.namespace(), key.object());
        }
    }

    private void look(Key key, FunctionRoute route) {
        Seen known = seen.computeIfAbsent(key, unused -> new Seen(time.nanos()));
        if (processes.of(key).stream().anyMatch(process -> process.calls() > 0)) {
            known.last = time.nanos();
        }
        Duration limit = Duration.ofSeconds(route.scale().idleSeconds());
        Duration idle = Duration.ofNanos(time.nanos() - known.last);
        boolean news = known.told < known.last || !known.toldFor.equals(limit);
        if (news && idle.compareTo(limit) < 0) {
            known.told = time.nanos();
            known.toldFor = limit;
            lastCalls.called(route, limit.minus(idle));
        }
        int ready = processes.of(key).size();
        if (idle.compareTo(limit) >= 0 && ready > route.scale().min() && !lastCalls.isWarm(route)) {
            scaling.change(key, ready, route.scale().min());
        }
    }
}
