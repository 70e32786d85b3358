package svc.storage;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectAnnotations;
import svc.crds.project.ProjectCondition;
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
import svc.storage.content.ProjectSweep;
import svc.storage.content.StoreException;

/**
 * Sweeps every project that keeps files, once in a while over all instances, and deletes the files of a project that is
 * deleted with its data.
 */
@ApplicationScoped
@SuppressWarnings("FutureReturnValueIgnored") // The work logs its failures itself.
class SweepSchedule implements ProjectListener {
    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    /** Between two looks at projects whose files the store did not delete. */
    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    private final ContentStore contents;
    private final DeletedProjects deleted;
    private final List<ProjectSweep> sweeps;
    private final TenantDirectory tenants;
    private final InstanceTurns turns;
    private final Duration interval;
    private final boolean active;
    private final Clock clock;
    private final Map<UUID, String> refs = new ConcurrentHashMap<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("storage-sweeper").factory());

    @Inject
    SweepSchedule(
            StorageBeans.Store store,
            TenantTransactions transactions,
            TenantDirectory tenants,
            RedisAPI redis,
            StorageConfig config,
            ApiConfig api,
            Clock clock) {
        this(
                store.contents(),
                StorageSweeps.of(transactions, store.contents(), config.sweep().grace(), clock),
                tenants,
                redis,
                config.sweep(),
                api.roles().contains(ServerRole.DATA),
                clock);
    }

    SweepSchedule(
            ContentStore contents,
            List<ProjectSweep> sweeps,
            TenantDirectory tenants,
            RedisAPI redis,
            StorageConfig.Sweep config,
            boolean active,
            Clock clock) {
        this.contents = contents;
        this.sweeps = List.copyOf(sweeps);
        this.deleted = new DeletedProjects(contents, config.grace(), clock);
        this.tenants = tenants;
        this.turns = new InstanceTurns(redis);
        this.interval = config.interval();
        this.active = active;
        this.clock = clock;
    }

    void start(@Observes StartupEvent event) {
        if (active) {
            // Instances that start together do not sweep together.
            long first = ThreadLocalRandom.current().nextLong(interval.toMillis() / 2, interval.toMillis());
            worker.scheduleWithFixedDelay(this::sweepAll, first, interval.toMillis(), TimeUnit.MILLISECONDS);
            worker.scheduleWithFixedDelay(
                    this::removeDeleted, NEXT_TRY.toSeconds(), NEXT_TRY.toSeconds(), TimeUnit.SECONDS);
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
        if (active && ProjectAnnotations.deletesData(project)) {
            id.ifPresent(of -> {
                deleted.add(of, deletionOf(project));
                worker.execute(this::removeDeleted);
            });
        }
    }

    /** The moment from which on another project may have the id. */
    private Instant deletionOf(Project project) {
        String stamp = project.getMetadata().getDeletionTimestamp();
        return stamp == null ? clock.instant() : Instant.parse(stamp);
    }

    /** Empty for a project without the claim on its id, which may be another one's. */
    private static Optional<UUID> id(Project project) {
        return Optional.ofNullable(project.getStatus())
                .filter(status -> status.projectId() != null && status.incarnation() != null)
                .filter(status -> Conditions.in(status.conditions(), ProjectCondition.CLAIMED)
                        .filter(Condition::isTrue)
                        .isPresent())
                .map(status -> UUID.fromString(status.projectId()));
    }

    void removeDeleted() {
        logged(() -> deleted.remove(refs::containsKey));
    }

    void sweepAll() {
        logged(() -> {
            Set<UUID> projects = contents.projects();
            for (UUID projectId : projects) {
                Optional<Tenant> tenant = Optional.ofNullable(refs.get(projectId))
                        .flatMap(tenants::find)
                        .filter(found -> found.projectId().equals(projectId))
                        .filter(found -> found.adoption().isEmpty());
                if (tenant.isPresent() && turns.isTurn(projectId, "sweep", interval)) {
                    sweep(tenant.get());
                }
            }
        });
    }

    /** A sweep that fails leaves the others their turn. */
    private void sweep(Tenant tenant) {
        sweeps.forEach(sweep -> logged(() -> {
            int removed = sweep.sweep(tenant);
            if (removed > 0) {
                LOG.infof("%s: removed %d %s", tenant.ref(), removed, sweep.what());
            }
        }));
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
