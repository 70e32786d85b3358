package svc.storage;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.postgres.flush.TenantTransactions;
import svc.storage.content.ContentStore;
import svc.storage.content.ContentSweeper;
import svc.storage.content.StoreException;
import svc.storage.rows.ObjectRows;
import svc.storage.rows.StorageTransactions;

/**
 * Sweeps every project that keeps files, once in a while over all instances, and deletes the files of a project that is
 * deleted with its data.
 */
@ApplicationScoped
@SuppressWarnings("FutureReturnValueIgnored") // The work logs its failures itself.
class SweepSchedule implements ProjectListener {
    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    private final StorageBeans.Store store;
    private final ContentSweeper sweeper;
    private final ObjectRows objects;
    private final TenantDirectory tenants;
    private final InstanceTurns turns;
    private final Duration interval;
    private final boolean active;
    private final Map<UUID, String> refs = new ConcurrentHashMap<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("storage-sweeper").factory());

    SweepSchedule(
            StorageBeans.Store store,
            TenantTransactions transactions,
            TenantDirectory tenants,
            RedisAPI redis,
            StorageConfig config,
            ApiConfig api,
            Clock clock) {
        this.store = store;
        this.sweeper = new ContentSweeper(store.contents(), config.sweep().grace(), clock);
        this.objects = new ObjectRows(new StorageTransactions(transactions));
        this.tenants = tenants;
        this.turns = new InstanceTurns(redis);
        this.interval = config.sweep().interval();
        this.active = api.roles().contains(ServerRole.DATA);
    }

    void start(@Observes StartupEvent event) {
        if (active) {
            // Instances that start together do not sweep together.
            long first = ThreadLocalRandom.current().nextLong(interval.toMillis() / 2, interval.toMillis());
            worker.scheduleWithFixedDelay(this::sweepAll, first, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        worker.shutdownNow();
    }

    @Override
    public void seen(Project project) {
        id(project).ifPresent(id -> refs.put(id, ProjectWatch.refOf(project)));
    }

    @Override
    public void gone(Project project) {
        Optional<UUID> id = id(project);
        id.ifPresent(refs::remove);
        if (active && project.getSpec().deletionPolicy() == DeletionPolicy.DELETE) {
            id.ifPresent(
                    of -> worker.execute(() -> logged(() -> store.contents().deleteAll(of))));
        }
    }

    private static Optional<UUID> id(Project project) {
        return Optional.ofNullable(project.getStatus())
                .filter(status -> status.projectId() != null && status.incarnation() != null)
                .map(status -> UUID.fromString(status.projectId()));
    }

    private void sweepAll() {
        logged(() -> {
            ContentStore contents = store.contents();
            Set<UUID> projects = contents.projects();
            for (UUID projectId : projects) {
                Optional<Tenant> tenant = Optional.ofNullable(refs.get(projectId))
                        .flatMap(tenants::find)
                        .filter(found -> found.projectId().equals(projectId))
                        .filter(found -> found.adoption().isEmpty());
                if (tenant.isPresent() && turns.isTurn(projectId, "sweep", interval)) {
                    logged(() -> sweep(tenant.get()));
                }
            }
        });
    }

    private void sweep(Tenant tenant) {
        int deleted = sweeper.sweep(tenant.projectId(), keys -> objects.known(tenant, keys));
        if (deleted > 0) {
            LOG.infof("%s: deleted %d contents that no file has", tenant.ref(), deleted);
        }
    }

    /** A failure of one project must not end the schedule. */
    private static void logged(Runnable work) {
        try {
            work.run();
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NOT_CONFIGURED) {
                LOG.warnf("the storage sweeper failed: %s", e.getMessage());
            }
        } catch (SqlError | PoolExhausted e) {
            LOG.warnf("the storage sweeper could not ask a project's database: %s", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the storage sweeper failed", e);
        }
    }
}
