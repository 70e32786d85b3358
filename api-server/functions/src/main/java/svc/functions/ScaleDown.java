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
 * Stops processes of functions that no instance was called for within the idle time. While Redis is unreachable the
 * calls of other instances are unknown, and nothing is stopped.
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
    private final Map<Key, Activity> activities = new ConcurrentHashMap<>();
    private volatile Thread checker;

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
    private static final class Activity {
        private volatile long last;
        private long published;
        private Duration publishedFor = Duration.ZERO;

        Activity(long now) {
            this.last = now;
            this.published = now - 1;
        }
    }

    void start(@Observes StartupEvent event) {
        if (serves && config.scaling()) {
            checker = Thread.ofVirtual().name("function-scale-down").start(this::check);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        Thread thread = checker;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** A call begins or ends. */
    void called(Key key) {
        Activity known = activities.get(key);
        if (known != null) {
            known.last = time.nanos();
        } else {
            activities.put(key, new Activity(time.nanos()));
        }
    }

    private void check() {
        try {
            while (true) {
                Thread.sleep(config.idleCheck());
                activities.keySet().retainAll(processes.running());
                for (Key key : processes.running()) {
                    check(key);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check(Key key) {
        try {
            Optional<FunctionRoute> route = directory.find(key);
            if (route.isPresent()) {
                check(key, route.get());
            }
        } catch (KubernetesClientException e) {
            LOG.warnf("failed to scale down %s/%s: %s", key.namespace(), key.object(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.debugf(e, "cannot determine whether %s/%s is idle", key.namespace(), key.object());
        }
    }

    private void check(Key key, FunctionRoute route) {
        Activity known = activities.computeIfAbsent(key, unused -> new Activity(time.nanos()));
        if (processes.of(key).stream().anyMatch(process -> process.calls() > 0)) {
            known.last = time.nanos();
        }
        Duration limit = Duration.ofSeconds(route.scale().idleSeconds());
        Duration idle = Duration.ofNanos(time.nanos() - known.last);
        boolean news = known.published < known.last || !known.publishedFor.equals(limit);
        if (news && idle.compareTo(limit) < 0) {
            known.published = time.nanos();
            known.publishedFor = limit;
            lastCalls.called(route, limit.minus(idle));
        }
        int ready = processes.of(key).size();
        if (idle.compareTo(limit) >= 0 && ready > route.scale().min() && !lastCalls.isWarm(route)) {
            scaling.change(key, ready, route.scale().min());
        }
    }
}
