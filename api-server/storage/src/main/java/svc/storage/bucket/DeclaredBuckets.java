package svc.storage.bucket;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import svc.crds.project.service.BucketSpec;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.PoolExhausted;
import svc.postgres.SqlError;
import svc.storage.rows.BucketRows;

/**
 * Reconciles the buckets that {@code spec.storage.buckets} declares: once when the declaration changes, and again when
 * {@link #repair} is called. With the login of the project's own services, because tenants' triggers run as the role that
 * writes a row, and the operator must run none of them.
 */
public final class DeclaredBuckets {
    private static final Logger LOG = Logger.getLogger(DeclaredBuckets.class);

    private final BucketRows rows;
    private final TenantDirectory tenants;
    private final Executor workers;
    private final Map<String, Declaration> applied = new ConcurrentHashMap<>();
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** @param workers run one project at a time each: what a project's triggers make slow delays others a little only */
    public DeclaredBuckets(BucketRows rows, TenantDirectory tenants, Executor workers) {
        this.rows = rows;
        this.tenants = tenants;
        this.workers = workers;
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

    /** A project was changed or removed. Returns at once. */
    public void changed(String ref) {
        Optional<Declaration> declared = tenants.find(ref).flatMap(Declaration::of);
        if (declared.isEmpty()) {
            applied.remove(ref);
            failed.remove(ref);
        } else if (!declared.get().equals(applied.get(ref))) {
            enqueue(ref);
        }
    }

    /** Tries again what failed. */
    public void retry() {
        List.copyOf(failed).forEach(this::enqueue);
    }

    /**
     * Reconciles all declared buckets, also those that SQL or the API changed.
     *
     * @param turn whether this instance is to do it for a project
     */
    public void repair(Predicate<UUID> turn) {
        applied.forEach((ref, declaration) -> {
            if (turn.test(declaration.projectId()) && applied.remove(ref, declaration)) {
                enqueue(ref);
            }
        });
    }

    private void enqueue(String ref) {
        if (waiting.add(ref)) {
            workers.execute(() -> {
                waiting.remove(ref);
                reconcile(ref);
            });
        }
    }

    private void reconcile(String ref) {
        Optional<Tenant> tenant = tenants.find(ref);
        Optional<Declaration> declared = tenant.flatMap(Declaration::of);
        if (declared.isEmpty() || declared.get().equals(applied.get(ref))) {
            return;
        }
        try {
            int written = rows.declare(tenant.get(), declared.get().buckets());
            applied.put(ref, declared.get());
            failed.remove(ref);
            if (written > 0) {
                LOG.infof("%s: made or changed %d declared buckets", ref, written);
            }
        } catch (SqlError | PoolExhausted e) {
            failed.add(ref);
            LOG.warnf("%s: the declared buckets could not be written, and are tried again: %s", ref, e.getMessage());
        } catch (RuntimeException e) {
            failed.add(ref);
            LOG.errorf(e, "%s: the declared buckets could not be written", ref);
        }
    }
}
