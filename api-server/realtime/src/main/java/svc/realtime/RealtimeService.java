package svc.realtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import org.jboss.logging.Logger;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.DataPlaneStream;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.realtime.bus.ActivityExchange;
import svc.realtime.channel.RealtimeProjects;
import svc.realtime.http.RealtimeRequestHandler;
import svc.realtime.sidecar.SidecarRoutes;

/** {@code /realtime/v1}. */
@ApplicationScoped
class RealtimeService implements DataPlaneStream {
    private static final Logger LOG = Logger.getLogger(RealtimeService.class);
    private static final long TICK_MS = 5_000;

    private static final long EXCHANGE_MS = 1_000;

    private final RealtimeProjects projects;
    private final Instance<ActivityExchange> activities;
    private final RealtimeRequestHandler requests;
    private final SidecarRoutes sidecars;
    private Thread draining;

    RealtimeService(
            RealtimeProjects projects,
            Instance<ActivityExchange> activities,
            RealtimeRequestHandler requests,
            SidecarRoutes sidecars) {
        this.projects = projects;
        this.activities = activities;
        this.requests = requests;
        this.sidecars = sidecars;
    }

    void onStart(
            @Observes StartupEvent started,
            ApiConfig api,
            RealtimeConfig config,
            Vertx vertx,
            TenantDirectory tenants,
            MeterRegistry metrics) {
        if (!api.roles().contains(ServerRole.DATA) && !api.roles().contains(ServerRole.REALTIME_SIDECAR)) {
            return;
        }
        vertx.setPeriodic(TICK_MS, now -> projects.tick());
        // A sidecar is the one process of its project, and has no Redis.
        if (api.roles().contains(ServerRole.DATA)) {
            ActivityExchange exchange = activities.get();
            vertx.setPeriodic(EXCHANGE_MS, now -> projects.exchange(exchange));
        }
        tenants.onChange(ref -> projects.changed(ref, tenants.find(ref)));
        metrics.gauge("svc.realtime.connections", projects, RealtimeProjects::connections);
        metrics.gauge("svc.realtime.channels", projects, RealtimeProjects::channels);
        // At the moment when the framework begins to wait for its last requests.
        draining = new Thread(() -> drain(config), "realtime-draining");
        Runtime.getRuntime().addShutdownHook(draining);
    }

    /** Where the application ends before its process does, the hook would find it closed. */
    void onStop(@Observes ShutdownEvent stopped) {
        if (draining == null) {
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(draining);
        } catch (IllegalStateException e) {
            LOG.debug("the process ends, and clients are draining", e);
        }
    }

    private void drain(RealtimeConfig config) {
        projects.drain(config.drain());
        sidecars.drain(config.drain());
    }

    @Override
    public String name() {
        return "realtime";
    }

    @Override
    public boolean isOpen(Tenant tenant, String path) {
        return false;
    }

    @Override
    public void serve(DataPlaneExchange exchange) {
        if (!sidecars.serve(exchange)) {
            requests.handle(exchange);
        }
    }

    @Override
    public void preflight(DataPlaneExchange exchange, Runnable otherwise) {
        otherwise.run();
    }
}
