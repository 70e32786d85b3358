package svc.management.storage;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import svc.crds.project.Project;
import svc.crds.project.service.S3AccessKeySpec;
import svc.database.key.Purpose;
import svc.database.key.S3AccessKey;
import svc.management.problem.DisplayName;
import svc.management.project.Projects;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.config.PurposeRoots;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;

/**
 * Creates and deletes access keys. The project's spec has their ids; their secrets are derived, and stored nowhere. They act
 * as the service role, so they need the permission that reveals its key.
 */
@ApplicationScoped
class S3Keys {
    /** The schema of the Project resource has the same limits. */
    private static final int MAX_KEYS = 20;

    private static final int MAX_NAME_LENGTH = 100;
    private static final int ID_BYTES = 16;

    private final Projects projects;
    private final TenantDirectory tenants;
    private final PurposeRoots roots;
    private final S3KeyAudit audit;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    S3Keys(Projects projects, TenantDirectory tenants, PurposeRoots roots, S3KeyAudit audit, Clock clock) {
        this.projects = projects;
        this.tenants = tenants;
        this.roots = roots;
        this.audit = audit;
        this.clock = clock;
    }

    /** A new key with its secret, which is returned only once. */
    record Created(S3AccessKeySpec key, String secret, String endpoint) {
        /** Without the secret. */
        @Override
        public String toString() {
            return "Created[" + key.id() + "]";
        }
    }

    List<S3AccessKeySpec> list(Principal by, String ref) {
        return projects.current(by, ref).getSpec().storage().accessKeys();
    }

    Created create(Principal by, String ref, String name) {
        by.require(Permission.DATABASE_QUERY);
        String label = DisplayName.checked("The key's", name, MAX_NAME_LENGTH);
        Project project = projects.get(by, ref);
        Tenant tenant = tenants.find(ref)
                .or(() -> tenants.suspended(ref))
                .filter(found -> found.organization().equals(project.getSpec().organization()))
                .orElseThrow(() -> Problem.of(ProblemCode.PROJECT_NOT_READY, "The project has no keys yet.")
                        .withHint("GET /v1/projects/" + ref + " shows its progress.")
                        .asException());
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var key = new S3AccessKeySpec(HexFormat.of().formatHex(id), label, now);
        projects.changeStorage(by, ref, storage -> {
            if (storage.accessKeys().size() >= MAX_KEYS) {
                throw Problem.of(
                                ProblemCode.S3_KEY_LIMIT_REACHED,
                                "The project has " + MAX_KEYS + " access keys, which is the limit.")
                        .withHint("Delete one that is not in use.")
                        .asException();
            }
            List<S3AccessKeySpec> keys = new ArrayList<>(storage.accessKeys());
            keys.add(key);
            return storage.withAccessKeys(keys);
        });
        audit.created(by, tenant, key.id());
        return new Created(key, secret(tenant, key.id()), tenant.storageUrl() + "/s3");
    }

    private String secret(Tenant tenant, String id) {
        return S3AccessKey.secret(
                roots.require(Purpose.SERVICE_KEY, tenant.masterKeyVersion())
                        .leaf(tenant.scope().withKeyVersion(S3AccessKey.KEY_VERSION)),
                id);
    }

    S3AccessKeySpec delete(Principal by, String ref, String id) {
        by.require(Permission.DATABASE_QUERY);
        Project project = projects.current(by, ref);
        S3AccessKeySpec key = project.getSpec().storage().accessKeys().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> unknown(id));
        projects.changeStorage(
                by,
                ref,
                storage -> storage.withAccessKeys(storage.accessKeys().stream()
                        .filter(each -> !each.id().equals(id))
                        .toList()));
        tenants.find(ref).or(() -> tenants.suspended(ref)).ifPresent(tenant -> audit.deleted(by, tenant, id));
        return key;
    }

    private static ProblemException unknown(String id) {
        String shown = S3AccessKey.isId(id) ? " " + id : " with this id";
        return Problem.of(ProblemCode.S3_KEY_NOT_FOUND, "The project has no access key" + shown + ".")
                .asException();
    }
}
