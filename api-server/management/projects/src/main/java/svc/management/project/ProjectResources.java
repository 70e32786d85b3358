package svc.management.project;

import com.google.re2j.Pattern;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import svc.crds.project.Project;
import svc.crds.project.ProjectSpec;
import svc.platform.config.ApiConfig;
import svc.platform.problem.Problem;
import svc.platform.problem.Problem.FieldError;
import svc.platform.problem.ProblemCode;
import svc.platform.problem.ProblemException;
import svc.platform.retry.RetryPolicy;
import svc.platform.tenancy.ProjectWatch;

/** Reads and writes Project resources: reads from the informer, writes to the Kubernetes API. */
@ApplicationScoped
class ProjectResources {
    private static final Pattern VALUE = Pattern.compile("^[A-Z][a-z]+ value: \"object\": ");
    private static final Pattern REF = Pattern.compile("[a-z][a-z0-9]{7}");

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int INVALID = 422;
    private static final String IN_BODY = " in body ";
    private static final RetryPolicy ON_CONFLICT = RetryPolicy.maxAttempts(5).retryOn(ProjectResources::isConflict);

    private final KubernetesClient kubernetes;
    private final ProjectWatch watch;
    private final String namespace;

    ProjectResources(KubernetesClient kubernetes, ProjectWatch watch, ApiConfig config) {
        this.kubernetes = kubernetes;
        this.watch = watch;
        this.namespace = config.projects().namespace();
    }

    String namespace() {
        return namespace;
    }

    List<Project> ofOrganization(String organization) {
        return watch.ofOrganization(organization).stream()
                .sorted(Comparator.comparing(
                                (Project project) -> project.getMetadata().getCreationTimestamp())
                        .thenComparing(ProjectWatch::refOf))
                .toList();
    }

    /** The organisation's resource with this ref; of several that claim it, the one that holds it. */
    Optional<Project> find(String organization, String ref) {
        return watch.byRef(ref).stream()
                .sorted(Comparator.comparing(ProjectState::hasLostClaim))
                .findFirst()
                .or(() -> unwatched(ref))
                .filter(project -> project.getSpec().organization().equals(organization));
    }

    /** A project that was just created may not have reached this instance's informer. */
    private Optional<Project> unwatched(String ref) {
        if (!REF.matches(ref)) {
            return Optional.empty();
        }
        return call(() -> Optional.ofNullable(kubernetes
                .resources(Project.class)
                .inNamespace(namespace)
                .withName(ref)
                .get()));
    }

    /** The stored resource; empty if one with this name exists. */
    Optional<Project> create(Project project) {
        try {
            return Optional.of(
                    kubernetes.resource(project).inNamespace(namespace).create());
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT) {
                return Optional.empty();
            }
            throw problem(e);
        }
    }

    /** Changes the spec of a project with optimistic locking; a concurrent change is merged, not overwritten. */
    Project change(Project project, UnaryOperator<ProjectSpec> change) {
        return change(project, EntityTag.any(), change);
    }

    /** The same for one version of the project. */
    Project change(Project project, EntityTag expected, UnaryOperator<ProjectSpec> change) {
        return edit(project, expected, current -> current.setSpec(change.apply(current.getSpec())));
    }

    /** The same for any part of the resource. */
    Project edit(Project project, Consumer<Project> change) {
        return edit(project, EntityTag.any(), change);
    }

    private Project edit(Project project, EntityTag expected, Consumer<Project> change) {
        try {
            return ON_CONFLICT.call(() -> {
                Project current = expected.required(current(project));
                change.accept(current);
                return kubernetes.resource(current).update();
            });
        } catch (KubernetesClientException e) {
            if (!isConflict(e)) {
                throw problem(e);
            }
            throw Problem.of(
                            ProblemCode.PROJECT_CONFLICT,
                            "The project is being changed by other requests at the same time.")
                    .withHint("Retry the request.")
                    .asException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("while changing a project", e);
        }
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof KubernetesClientException e && e.getCode() == CONFLICT;
    }

    void delete(Project project) {
        call(() -> kubernetes
                .resource(project)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete());
    }

    /** Reads the current resource: the informer may lag, and a change must start from the newest state. */
    Project current(Project project) {
        Project current = call(() -> kubernetes
                .resources(Project.class)
                .inNamespace(project.getMetadata().getNamespace())
                .withName(project.getMetadata().getName())
                .get());
        if (current == null) {
            throw unknown(ProjectWatch.refOf(project));
        }
        return current;
    }

    static ProblemException unknown(String ref) {
        return Problem.of(ProblemCode.PROJECT_NOT_FOUND, "The organisation has no project " + ref + ".")
                .withHint("GET /v1/projects lists the projects of this token's organisation.")
                .asException();
    }

    private interface Call<T> {
        T run();
    }

    private static <T> T call(Call<T> call) {
        try {
            return call.run();
        } catch (KubernetesClientException e) {
            throw problem(e);
        }
    }

    static ProblemException problem(KubernetesClientException e) {
        if (e.getCode() == INVALID && e.getStatus() != null && e.getStatus().getDetails() != null) {
            return refused(e);
        }
        if (namesProject(e)) {
            return unknown(e.getStatus().getDetails().getName());
        }
        if (e.getCode() == NOT_FOUND) {
            return Problem.of(
                            ProblemCode.UNAVAILABLE,
                            "The platform cannot store projects: its CustomResourceDefinitions are not installed.")
                    .asException(e);
        }
        return Problem.of(ProblemCode.UNAVAILABLE, "The Kubernetes API failed or is unreachable.")
                .withHint("Retry the request.")
                .asException(e);
    }

    /** A project that was deleted between the read and the write; without the kind, a 404 names no object. */
    private static boolean namesProject(KubernetesClientException e) {
        return e.getCode() == NOT_FOUND
                && e.getStatus() != null
                && e.getStatus().getDetails() != null
                && HasMetadata.getPlural(Project.class)
                        .equals(e.getStatus().getDetails().getKind())
                && e.getStatus().getDetails().getName() != null;
    }

    /** The resource's schema validates the fields; this API has them under the same names. */
    private static ProblemException refused(KubernetesClientException e) {
        List<String> reasons = new ArrayList<>();
        List<FieldError> errors = new ArrayList<>();
        for (StatusCause cause : e.getStatus().getDetails().getCauses()) {
            String field = cause.getField() == null ? "" : cause.getField();
            String pointer = (field.startsWith("spec") ? field.substring(4) : field)
                    .replace('.', '/')
                    .replace('[', '/')
                    .replace("]", "");
            String reason = withoutValue(cause.getMessage());
            errors.add(new FieldError(pointer, reason));
            reasons.add(pointer.isEmpty() ? reason : pointer + ": " + reason);
        }
        // Clients show the message alone: so the reasons are in it.
        return Problem.of(
                        ProblemCode.INVALID_BODY,
                        "The project has an invalid field: " + String.join("; ", reasons) + ".")
                .withErrors(errors)
                .asException();
    }

    /** The caller knows the value. */
    private static String withoutValue(String message) {
        String text = message == null ? "is not allowed" : message;
        int body = text.indexOf(IN_BODY);
        return body >= 0
                ? text.substring(body + IN_BODY.length())
                : VALUE.matcher(text).replaceFirst("");
    }
}
