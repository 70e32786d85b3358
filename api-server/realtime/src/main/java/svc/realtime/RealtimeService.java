package svc.realtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.dataplane.DataPlaneExchange;
import svc.platform.dataplane.DataPlaneStream;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.realtime.bus.ActivityExchange;
import svc.realtime.channel.RealtimeProjects;
import svc.realtime.http.RealtimeRequestHandler;

/** {@code /realtime/v1}. */
@ApplicationScoped
class RealtimeService implements DataPlaneStream {
    private static final long TICK_MS = 5_000;

    private static final long EXCHANGE_MS = 1_000;

    private final RealtimeProjects projects;
    private final ActivityExchange activities;
    private final RealtimeRequestHandler requests;

    RealtimeService(RealtimeProjects projects, ActivityExchange activities, RealtimeRequestHandler requests) {
        this.projects = projects;
        this.activities = activities;
        this.requests = requests;
    }

    void onStart(
            @Observes StartupEvent started,
            ApiConfig api,
            RealtimeConfig config,
            Vertx vertx,
            TenantDirectory tenants,
            MeterRegistry metrics) {
        if (!api.roles().contains(ServerRole.DATA)) {
            return;
        }
        vertx.setPeriodic(TICK_MS, now -> projects.tick());
        vertx.setPeriodic(EXCHANGE_MS, now -> projects.exchange(activities));
        tenants.onChange(ref -> projects.changed(ref, tenants.find(ref)));
        metrics.gauge("svc.realtime.connections", projects, RealtimeProjects::connections);
        metrics.gauge("svc.realtime.channels", projects, RealtimeProjects::channels);
        // At the moment when the framework begins to wait for its last requests.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> projects.drain(config.drain()), "realtime-draining"));
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
        requests.handle(exchange);
    }

    @Override
    public void preflight(DataPlaneExchange exchange, Runnable otherwise) {
        otherwise.run();
    }
}
