package svc.storage;

import io.quarkus.runtime.StartupEvent;
import io.vertx.mutiny.redis.client.RedisAPI;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import svc.crds.project.Project;
import svc.database.loop.ProjectRunner;
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
@SuppressWarnings("FutureReturnValueIgnored") // The runner logs failures.
class BucketSchedule implements ProjectListener {
    private static final Duration REPAIR = Duration.ofMinutes(5);

    private final DeclaredBuckets declared;
    private final InstanceTurns turns;
    private final ProjectRunner runner;
    private final boolean active;

    BucketSchedule(
            TenantTransactions transactions,
            TenantDirectory tenants,
            ProjectRunner runner,
            RedisAPI redis,
            ApiConfig api) {
        var rows = new BucketRows(new StorageTransactions(transactions.inBackground()));
        this.declared = new DeclaredBuckets(rows, tenants, runner);
        this.runner = runner;
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
            runner.repeat(
                    "repair of declared buckets",
                    REPAIR,
                    REPAIR,
                    () -> declared.repair(id -> turns.isTurn(id, "buckets", REPAIR)));
        }
    }
}
