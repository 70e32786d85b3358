package svc.storage;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import svc.crds.project.Project;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.storage.webhook.WebhookDispatcher;

/**
 * Repeats failed calls of webhooks, and looks every minute for events that another instance has left: one that ended, or
 * whose next attempt is not known here.
 */
@ApplicationScoped
@SuppressWarnings("FutureReturnValueIgnored") // The work logs its failures itself.
class WebhookSchedule implements ProjectListener {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration RECOVER = Duration.ofMinutes(1);

    private final WebhookDispatcher webhooks;
    private final TenantDirectory tenants;
    private final InstanceTurns turns;
    private final boolean active;
    private final ExecutorService threads;
    private final Set<String> refs = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("storage-webhooks").factory());

    WebhookSchedule(
            WebhookDispatcher webhooks,
            TenantDirectory tenants,
            RedisAPI redis,
            ApiConfig api,
            @VirtualThreads ExecutorService threads) {
        this.webhooks = webhooks;
        this.tenants = tenants;
        this.turns = new InstanceTurns(redis);
        this.active = api.roles().contains(ServerRole.DATA);
        this.threads = threads;
        if (active) {
            tenants.onChange(this::changed);
        }
    }

    @Override
    public void seen(Project project) {
        if (active) {
            changed(ProjectWatch.refOf(project));
        }
    }

    @Override
    public void gone(Project project) {
        seen(project);
    }

    /** Projects with webhooks; also one that has none any more, until its queue was emptied. */
    private void changed(String ref) {
        Optional<Tenant> tenant = tenants.find(ref);
        if (tenant.isEmpty()) {
            refs.remove(ref);
        } else if (!tenant.get().storage().webhooks().isEmpty()) {
            refs.add(ref);
        }
    }

    void start(@Observes StartupEvent event) {
        if (active) {
            clock.scheduleWithFixedDelay(webhooks::retry, RETRY.toMillis(), RETRY.toMillis(), TimeUnit.MILLISECONDS);
            clock.scheduleWithFixedDelay(this::recover, RETRY.toMillis(), RECOVER.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void recover() {
        for (String ref : refs) {
            try {
                threads.execute(() -> recover(ref));
            } catch (RejectedExecutionException e) {
                return;
            }
        }
    }

    private void recover(String ref) {
        Optional<Tenant> tenant =
                tenants.find(ref).filter(found -> found.adoption().isEmpty());
        if (tenant.isPresent() && turns.isTurn(tenant.get().projectId(), "webhooks", RECOVER)) {
            webhooks.recover(tenant.get());
            if (tenant.get().storage().webhooks().isEmpty()) {
                refs.remove(ref);
            }
        }
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
    }
}
