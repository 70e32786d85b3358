package svc.realtime.sidecar;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.workload.DeploymentScale;

/**
 * Stops sidecars that no instance has led a socket to within the idle time. Instances tell each other by a key in Redis that
 * expires when the sidecar may stop; while Redis is unreachable, nothing is stopped.
 */
@ApplicationScoped
class SidecarIdle {
    private static final Logger LOG = Logger.getLogger(SidecarIdle.class);
    private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(1);

    private final SidecarDirectory directory;
    private final SidecarEndpoints endpoints;
    private final SidecarTunnels tunnels;
    private final DeploymentScale scale;
    private final Instance<RedisAPI> redis;
    private final SidecarConfig config;
    private final boolean serves;
    private volatile Thread checker;

    SidecarIdle(
            SidecarDirectory directory,
            SidecarEndpoints endpoints,
            SidecarTunnels tunnels,
            DeploymentScale scale,
            Instance<RedisAPI> redis,
            SidecarConfig config,
            ApiConfig api) {
        this.directory = directory;
        this.endpoints = endpoints;
        this.tunnels = tunnels;
        this.scale = scale;
        this.redis = redis;
        this.config = config;
        this.serves = api.roles().contains(ServerRole.DATA);
    }

    void start(@Observes StartupEvent event) {
        if (serves) {
            checker = Thread.ofVirtual().name("realtime-sidecar-idle").start(this::check);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        Thread thread = checker;
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void check() {
        try {
            while (true) {
                Thread.sleep(config.idleCheck());
                tunnels.retain(endpoints.running());
                endpoints.running().forEach(this::check);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check(Sidecar sidecar) {
        try {
            Optional<UUID> project = directory.projectOf(sidecar);
            Duration idle = tunnels.isUsed(sidecar)
                    ? Duration.ZERO
                    : Duration.ofNanos(System.nanoTime() - tunnels.lastUse(sidecar));
            if (project.isEmpty()) {
                return;
            }
            if (idle.compareTo(config.idle()) < 0) {
                mark(project.get(), config.idle().minus(idle));
            } else if (!isMarked(project.get())) {
                scale.change(sidecar.namespace(), sidecar.name(), 1, 0);
            }
        } catch (KubernetesClientException e) {
            LOG.warnf("failed to stop %s/%s: %s", sidecar.namespace(), sidecar.name(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.debugf(e, "cannot determine whether %s/%s is idle", sidecar.namespace(), sidecar.name());
        }
    }

    /** One that was used lately may stay as long as the longest mark of all instances says: each renews its own. */
    private void mark(UUID project, Duration stillUsed) {
        List<String> set =
                new ArrayList<>(List.of(key(project), "1", "PX", Long.toString(Math.max(1, stillUsed.toMillis()))));
        if (stillUsed.compareTo(config.idle()) < 0) {
            set.add("NX");
        }
        redis.get().set(set).await().atMost(REDIS_TIMEOUT);
    }

    private boolean isMarked(UUID project) {
        return redis.get()
                        .exists(List.of(key(project)))
                        .await()
                        .atMost(REDIS_TIMEOUT)
                        .toInteger()
                > 0;
    }

    /** Contains the idle time: a mark under another idle time must not count. */
    private String key(UUID project) {
        return project + ":realtime:sidecar:used:" + config.idle().toSeconds();
    }
}
