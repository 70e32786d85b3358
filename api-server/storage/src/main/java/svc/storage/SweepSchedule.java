package svc.storage;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;
import svc.crds.condition.Condition;
import svc.crds.condition.Conditions;
import svc.crds.project.Project;
import svc.crds.project.ProjectAnnotations;
import svc.crds.project.ProjectCondition;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.flush.TenantTransactions;
import svc.storage.content.ContentStore;
import svc.storage.content.ProjectSweep;
import svc.storage.content.StoreException;

/**
 * Sweeps every project that keeps files, once in a while over all instances, and deletes the files of a project that is
 * deleted with its data.
 */
@ApplicationScoped
class SweepSchedule implements ProjectListener, ProjectLoop {
    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    /** The interval of attempts for projects whose files the store did not delete. */
    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    private final ContentStore contents;
    private final DeletedProjects deleted;
    private final List<ProjectSweep> sweeps;
    private final TenantDirectory tenants;
    private final InstanceTurns turns;
    private final Duration interval;
    private final boolean active;
    private final Clock clock;
    private final ProjectRunner runner;
    private final ProjectLoop removal = new Removal();
    private final Map<UUID, String> refs = new ConcurrentHashMap<>();

    @Inject
    SweepSchedule(
            StorageBeans.Store store,
            TenantTransactions transactions,
            TenantDirectory tenants,
            ProjectRunner runner,
            RedisAPI redis,
            StorageConfig config,
            ApiConfig api,
            Clock clock) {
        this(
                store.contents(),
                StorageSweeps.of(
                        transactions.inBackground(),
                        store.contents(),
                        config.sweep().grace(),
                        clock),
                tenants,
                runner,
                redis,
                config.sweep(),
                api.roles().contains(ServerRole.DATA),
                clock);
    }

    SweepSchedule(
            ContentStore contents,
            List<ProjectSweep> sweeps,
            TenantDirectory tenants,
            ProjectRunner runner,
            RedisAPI redis,
            StorageConfig.Sweep config,
            boolean active,
            Clock clock) {
        this.contents = contents;
        this.sweeps = List.copyOf(sweeps);
        this.deleted = new DeletedProjects(contents, config.grace(), clock);
        this.tenants = tenants;
        this.runner = runner;
        this.turns = new InstanceTurns(redis);
        this.interval = config.interval();
        this.active = active;
        this.clock = clock;
    }

    void start(@Observes StartupEvent event) {
        if (active) {
            // Instances that start together do not sweep together.
            long first = ThreadLocalRandom.current().nextLong(interval.toMillis() / 2, interval.toMillis());
            runner.repeat(name(), Duration.ofMillis(first), interval, this::findDue);
            runner.repeat(removal.name(), NEXT_TRY, NEXT_TRY, this::removeDeleted);
        }
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
                runner.due(removal, of.toString());
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
        deleted.remove(refs::containsKey);
    }

    /** Asks the store alone, no tenant's database; what is deleted is due again until the store has done it. */
    private final class Removal implements ProjectLoop {
        @Override
        public String name() {
            return "files of deleted projects";
        }

        @Override
        public Progress run(String project) {
            removeDeleted();
            return Progress.DONE;
        }
    }

    private void findDue() {
        CompletableFuture<Void> unused = sweepAll();
    }

    /** @return completes when each has been swept once, exceptionally if one failed and is tried again */
    CompletableFuture<Void> sweepAll() {
        Set<UUID> projects;
        try {
            projects = contents.projects();
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NOT_CONFIGURED) {
                LOG.warnf("the projects to sweep cannot be listed: %s", e.getMessage());
            }
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(projects.stream()
                .filter(projectId -> tenant(projectId).isPresent())
                .filter(projectId -> turns.isTurn(projectId, "sweep", interval))
                .map(projectId -> runner.submit(this, projectId.toString()))
                .toArray(CompletableFuture<?>[]::new));
    }

    private Optional<Tenant> tenant(UUID projectId) {
        return Optional.ofNullable(refs.get(projectId))
                .flatMap(tenants::find)
                .filter(found -> found.projectId().equals(projectId))
                .filter(found -> found.adoption().isEmpty());
    }

    @Override
    public String name() {
        return "storage sweep";
    }

    /** A sweep that fails leaves the others their turn. */
    @Override
    public Progress run(String project) {
        Optional<Tenant> tenant = tenant(UUID.fromString(project));
        Optional<RuntimeException> failure = Optional.empty();
        for (ProjectSweep sweep : tenant.isPresent() ? sweeps : List.<ProjectSweep>of()) {
            try {
                int removed = sweep.sweep(tenant.get());
                if (removed > 0) {
                    LOG.infof("%s: removed %d %s", tenant.get().ref(), removed, sweep.what());
                }
            } catch (RuntimeException e) {
                failure = Optional.of(e);
            }
        }
        failure.ifPresent(e -> {
            throw e;
        });
        return Progress.DONE;
    }
}
