package svc.management.project;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.crds.project.auth.AuthSpec;
import svc.crds.project.service.StorageSpec;
import svc.management.token.Permission;
import svc.management.token.Principal;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.tenancy.ProjectWatch;

/** Operations on projects on behalf of a principal. Projects of other organisations are invisible to it. */
@ApplicationScoped
public class Projects {
    /** The token that created the resource, for readers with kubectl. */
    public static final String TOKEN_ANNOTATION = "svc.platform/created-by-token";

    private static final int ATTEMPTS = 5;
    private static final int MAX_IDEMPOTENCY_KEY_LENGTH = 255;

    private final ProjectResources resources;
    private final ProjectSecretValues secrets;
    private final ProjectWatch watch;
    private final ProjectAudit audit;
    private final Duration readyWait;
    private final SecureRandom random = new SecureRandom();

    Projects(
            ProjectResources resources,
            ProjectSecretValues secrets,
            ProjectWatch watch,
            ProjectAudit audit,
            ApiConfig config) {
        this.resources = resources;
        this.secrets = secrets;
        this.watch = watch;
        this.audit = audit;
        this.readyWait = config.projects().readyWait();
    }

    /**
     * A new project.
     *
     * @param replayed whether an earlier call with the same idempotency key created it
     */
    record Created(Project project, boolean replayed) {}

    /**
     * Creates a project and waits until the operator has provisioned it.
     *
     * @return the project, Ready or, if the timeout expired, in its state at that time
     */
    Created create(Principal by, String name, Optional<DeletionPolicy> policy, Optional<String> idempotencyKey) {
        Created created = audit.created(by, () -> {
            by.require(Permission.PROJECTS_CREATE);
            return idempotencyKey
                    .map(key -> createOnce(by, name, policy, key))
                    .orElseGet(() -> new Created(createNew(by, name, policy), false));
        });
        return new Created(reconciled(created.project()), created.replayed());
    }

    private Project createNew(Principal by, String name, Optional<DeletionPolicy> policy) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Project> created = resources.create(resource(by, name, policy, NewIdentity.random(random)));
            if (created.isPresent()) {
                return created.get();
            }
        }
        throw new IllegalStateException("no unused ref found in " + ATTEMPTS + " attempts");
    }

    private Created createOnce(Principal by, String name, Optional<DeletionPolicy> policy, String key) {
        if (key.isBlank() || key.length() > MAX_IDEMPOTENCY_KEY_LENGTH) {
            throw Problem.of(
                            ProblemCode.INVALID_PARAMETER,
                            "The header Idempotency-Key has 1 to " + MAX_IDEMPOTENCY_KEY_LENGTH + " characters.")
                    .asException();
        }
        Project wanted = resource(by, name, policy, NewIdentity.ofIdempotencyKey(by.organization(), key));
        return resources.create(wanted).map(made -> new Created(made, false)).orElseGet(() -> {
            Project existing = resources.current(wanted);
            if (!existing.getSpec().name().equals(name)
                    || !existing.getSpec().organization().equals(by.organization())) {
                throw Problem.of(
                                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                                "The idempotency key was used with a different body. Use a new key for a new request.")
                        .asException();
            }
            return new Created(existing, true);
        });
    }

    private Project resource(Principal by, String name, Optional<DeletionPolicy> policy, NewIdentity identity) {
        Project project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(resources.namespace())
                .withName(identity.ref())
                .withAnnotations(Map.of(TOKEN_ANNOTATION, by.tokenId().toString()))
                .build());
        ProjectSpec.Builder spec = ProjectSpec.named(name).toBuilder()
                .organization(by.organization())
                .ref(identity.ref())
                .projectId(identity.projectId().toString());
        policy.ifPresent(spec::deletionPolicy);
        project.setSpec(spec.build());
        return project;
    }

    List<Project> list(Principal by) {
        return resources.ofOrganization(by.organization());
    }

    /** @throws ProblemException 404 for one that does not exist or belongs to another organisation */
    public Project get(Principal by, String ref) {
        return resources.find(by.organization(), ref).orElseThrow(() -> ProjectResources.unknown(ref));
    }

    /** The same out of the Kubernetes API, which knows what this instance has just written. */
    public Project current(Principal by, String ref) {
        return resources.current(get(by, ref));
    }

    Project change(Principal by, String ref, ProjectChange change) {
        return change(by, ref, EntityTag.any(), change);
    }

    /** @throws ProblemException 412 if the project is not in the expected version */
    Project change(Principal by, String ref, EntityTag expected, ProjectChange change) {
        Project project = get(by, ref);
        return audit.recorded(by, project, change.what(), () -> changed(by, project, expected, change));
    }

    private Project changed(Principal by, Project project, EntityTag expected, ProjectChange change) {
        by.require(Permission.PROJECTS_CREATE);
        List<String> stored = secrets.store(project, change.secretValues());
        var before = new AtomicReference<AuthSpec>();
        try {
            Project changed = resources.change(project, expected, spec -> {
                before.set(spec.auth());
                ProjectSpec after = change.apply(spec, stored);
                requireRightToServe(by, spec, after);
                return after;
            });
            secrets.deleteUnused(changed, before.get(), changed.getSpec().auth());
            return changed;
        } catch (RuntimeException e) {
            secrets.delete(project, stored);
            throw e;
        }
    }

    /** Changes settings of the REST API, and keeps their texts. */
    Project changeRest(Principal by, String ref, ProjectChange change, RestConfig written) {
        Project changed = change(by, ref, change);
        var before = DeclaredRestConfig.of(changed);
        var after = before.over(written);
        return after.equals(before) ? changed : resources.edit(changed, after::writeTo);
    }

    /** Changes settings of the storage service on behalf of a caller whose right to that is found. */
    public Project changeStorage(Principal by, String ref, UnaryOperator<StorageSpec> change) {
        return resources.change(
                get(by, ref),
                spec -> spec.toBuilder().storage(change.apply(spec.storage())).build());
    }

    /**
     * Some settings decide which tokens act as {@code service_role}, which bypasses row security; others who receives the
     * links and codes of sign-in mails, and whose word is taken for a user's identity. They need the right that reveals the
     * service-role key, because each of them gives as much.
     */
    private static void requireRightToServe(Principal by, ProjectSpec before, ProjectSpec after) {
        boolean mints =
                !before.auth().jwt().verifyKeys().equals(after.auth().jwt().verifyKeys())
                        || !Objects.equals(before.auth().hooks(), after.auth().hooks())
                        || !Objects.equals(
                                before.rest().roleClaim(), after.rest().roleClaim());
        boolean admits = !Objects.equals(before.auth().smtp(), after.auth().smtp())
                || !Objects.equals(before.auth().templates(), after.auth().templates())
                || !Objects.equals(before.auth().providers(), after.auth().providers());
        if ((mints || admits) && !by.may(Permission.DATABASE_QUERY)) {
            String what = mints
                    ? "auth.jwt.verifyKeys, auth.hooks and rest.roleClaim decide which tokens act as service_role"
                    : "auth.smtp, auth.templates and auth.providers decide who can sign in as a user";
            throw Problem.of(
                            Permission.DATABASE_QUERY.forbidden(),
                            what + ": changing them needs the permission database_query too, and this token does not"
                                    + " have it.")
                    .with("missing_permissions", List.of(Permission.DATABASE_QUERY.wire()))
                    .asException();
        }
    }

    /**
     * Stops or starts the services of a project. The data plane follows at once, the functions with the operator.
     *
     * @return the project, whose state says how far that is
     */
    Project suspend(Principal by, String ref, boolean suspend) {
        Project project = get(by, ref);
        return audit.recorded(by, project, suspend ? "pause project" : "restore project", () -> {
            by.require(Permission.PROJECTS_CREATE);
            return resources.change(
                    project, spec -> spec.toBuilder().suspend(suspend).build());
        });
    }

    /** The operator deletes or keeps the data, as the project's deletion policy says; its host is gone at once. */
    Project delete(Principal by, String ref, EntityTag expected) {
        Project project = get(by, ref);
        return audit.recorded(by, project, "delete project", () -> {
            by.require(Permission.PROJECTS_CREATE);
            if (!expected.isAny()) {
                expected.required(resources.current(project));
            }
            resources.delete(project);
            return project;
        });
    }

    /** Rotates keys and waits until the operator has activated the new versions. */
    Project rotate(Principal by, String ref, KeyRotation rotation) {
        Project project = get(by, ref);
        Project changed = audit.recorded(by, project, rotation.what(), () -> {
            by.require(Permission.PROJECTS_CREATE);
            return resources.change(
                    project,
                    spec -> spec.toBuilder().keys(rotation.apply(spec.keys())).build());
        });
        return reconciled(changed);
    }

    /** The project after the operator has reconciled this generation of its spec, or has failed to. */
    private Project reconciled(Project project) {
        long generation = project.getMetadata().getGeneration();
        Predicate<Project> isReconciled = seen -> seen.getMetadata().getGeneration() >= generation
                && seen.getMetadata().getUid().equals(project.getMetadata().getUid())
                && (seen.isReady() || ProjectState.hasLostClaim(seen));
        return watch.await(
                        project.getMetadata().getNamespace(),
                        project.getMetadata().getName(),
                        isReconciled,
                        readyWait)
                .orElse(project);
    }
}
