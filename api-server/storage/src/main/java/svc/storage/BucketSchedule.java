package svc.storage;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import svc.crds.project.Project;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.tenancy.ProjectListener;
import svc.platform.tenancy.ProjectWatch;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.flush.TenantTransactions;
import svc.storage.bucket.DeclaredBuckets;
import svc.storage.rows.BucketRows;
import svc.storage.rows.StorageTransactions;

/** Reconciles declared buckets when a project changes, and every five minutes, as the operator repairs what is its. */
@ApplicationScoped
@SuppressWarnings("FutureReturnValueIgnored") // The work logs its failures itself.
class BucketSchedule implements ProjectListener {
    private static final Duration REPAIR = Duration.ofMinutes(5);
    private static final Duration RETRY = Duration.ofSeconds(30);
    private static final int AT_ONCE = 4;

    private final DeclaredBuckets declared;
    private final InstanceTurns turns;
    private final boolean active;
    private final ExecutorService workers = Executors.newFixedThreadPool(
            AT_ONCE, Thread.ofVirtual().name("declared-buckets-", 0).factory());
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("declared-buckets").factory());

    BucketSchedule(TenantTransactions transactions, TenantDirectory tenants, RedisAPI redis, ApiConfig api) {
        this.declared = new DeclaredBuckets(new BucketRows(new StorageTransactions(transactions)), tenants, workers);
        this.turns = new InstanceTurns(redis);
        this.active = api.roles().contains(ServerRole.DATA);
        if (active) {
            tenants.onChange(declared::changed);
        }
    }

    /** Of a project that the directory knows already; it tells of the others when it does. */
    @Override
    public void seen(Project project) {
        if (active) {
            declared.changed(ProjectWatch.refOf(project));
        }
    }

    @Override
    public void gone(Project project) {
        seen(project);
    }

    void start(@Observes StartupEvent event) {
        if (active) {
            clock.scheduleWithFixedDelay(declared::retry, RETRY.toSeconds(), RETRY.toSeconds(), TimeUnit.SECONDS);
            clock.scheduleWithFixedDelay(
                    () -> declared.repair(id -> turns.isTurn(id, "buckets", REPAIR)),
                    REPAIR.toSeconds(),
                    REPAIR.toSeconds(),
                    TimeUnit.SECONDS);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
        workers.shutdownNow();
    }
}
