package svc.storage;

import io.quarkus.runtime.StartupEvent;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import svc.crds.project.Project;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
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
class WebhookSchedule implements ProjectListener, ProjectLoop {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration RECOVER = Duration.ofMinutes(1);

    private final WebhookDispatcher webhooks;
    private final TenantDirectory tenants;
    private final InstanceTurns turns;
    private final boolean active;
    private final ProjectRunner runner;
    private final Set<String> refs = ConcurrentHashMap.newKeySet();

    @Inject
    WebhookSchedule(
            WebhookDispatcher webhooks, TenantDirectory tenants, ProjectRunner runner, RedisAPI redis, ApiConfig api) {
        this(webhooks, tenants, runner, redis, api.roles().contains(ServerRole.DATA));
    }

    /** @param active whether this instance calls webhooks */
    WebhookSchedule(
            WebhookDispatcher webhooks, TenantDirectory tenants, ProjectRunner runner, RedisAPI redis, boolean active) {
        this.webhooks = webhooks;
        this.tenants = tenants;
        this.turns = new InstanceTurns(redis);
        this.active = active;
        this.runner = runner;
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
            runner.repeat("attempts of webhooks", RETRY, RETRY, webhooks::retry);
            runner.repeat(name(), RETRY, RECOVER, () -> refs.forEach(ref -> runner.due(this, ref)));
        }
    }

    @Override
    public String name() {
        return "events of webhooks";
    }

    @Override
    public Progress run(String ref) {
        Optional<Tenant> tenant =
                tenants.find(ref).filter(found -> found.adoption().isEmpty());
        if (tenant.isPresent() && turns.isTurn(tenant.get().projectId(), "webhooks", RECOVER)) {
            webhooks.recover(tenant.get());
            if (tenant.get().storage().webhooks().isEmpty()) {
                refs.remove(ref);
            }
        }
        return Progress.DONE;
    }
}
