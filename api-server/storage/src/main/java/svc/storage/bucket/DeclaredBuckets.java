package svc.storage.bucket;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import svc.crds.project.service.BucketSpec;
import svc.database.loop.ProjectLoop;
import svc.database.loop.ProjectRunner;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.storage.rows.BucketRows;

/**
 * Reconciles the buckets that {@code spec.storage.buckets} declares: once when the declaration changes, and again when
 * {@link #repair} is called. With the login of the project's own services, because tenants' triggers run as the role that
 * writes a row, and the operator must run none of them.
 */
public final class DeclaredBuckets implements ProjectLoop {
    private static final Logger LOG = Logger.getLogger(DeclaredBuckets.class);

    private final BucketRows rows;
    private final TenantDirectory tenants;
    private final ProjectRunner runner;
    private final Map<String, Declaration> applied = new ConcurrentHashMap<>();

    /** @param rows of transactions in the background */
    public DeclaredBuckets(BucketRows rows, TenantDirectory tenants, ProjectRunner runner) {
        this.rows = rows;
        this.tenants = tenants;
        this.runner = runner;
    }

    /** What was declared for which database. */
    private record Declaration(UUID projectId, Tenant.DatabaseAddress database, List<BucketSpec> buckets) {
        static Optional<Declaration> of(Tenant tenant) {
            boolean served = tenant.storage().enabled() && tenant.adoption().isEmpty();
            return Optional.of(tenant.storage().buckets())
                    .filter(buckets -> served && !buckets.isEmpty())
                    .map(buckets -> new Declaration(tenant.projectId(), tenant.database(), buckets));
        }
    }

    @Override
    public String name() {
        return "declared buckets";
    }

    /**
     * A project was changed or removed. Returns at once.
     *
     * @return completes when its buckets are as declared, exceptionally if they could not be written and are tried again
     */
    public CompletableFuture<Void> changed(String ref) {
        Optional<Declaration> declared = tenants.find(ref).flatMap(Declaration::of);
        if (declared.isEmpty()) {
            applied.remove(ref);
        } else if (!declared.get().equals(applied.get(ref))) {
            return runner.submit(this, ref);
        }
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Reconciles all declared buckets, also those that SQL or the API changed.
     *
     * @param turn whether this instance is to do it for a project
     * @return as of {@link #changed}, for all of them
     */
    public CompletableFuture<Void> repair(Predicate<UUID> turn) {
        return CompletableFuture.allOf(applied.entrySet().stream()
                .filter(entry -> turn.test(entry.getValue().projectId()))
                .filter(entry -> applied.remove(entry.getKey(), entry.getValue()))
                .map(entry -> runner.submit(this, entry.getKey()))
                .toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public Progress run(String ref) {
        Optional<Tenant> tenant = tenants.find(ref);
        Optional<Declaration> declared = tenant.flatMap(Declaration::of);
        if (declared.isEmpty() || declared.get().equals(applied.get(ref))) {
            return Progress.DONE;
        }
        int written = rows.declare(tenant.get(), declared.get().buckets());
        applied.put(ref, declared.get());
        if (written > 0) {
            LOG.infof("%s: made or changed %d declared buckets", ref, written);
        }
        return Progress.DONE;
    }
}
