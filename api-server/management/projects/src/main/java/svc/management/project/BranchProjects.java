package svc.management.project;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import svc.crds.project.DeletionPolicy;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.project.ProjectSpec;
import svc.management.token.Principal;
import svc.platform.tenancy.ProjectWatch;

/**
 * The Project resources of branches. Each names its parent in {@code spec.branchOf} and is owned by the parent's resource, so
 * that Kubernetes deletes it with the parent.
 */
@ApplicationScoped
public class BranchProjects {
    /** How long a new resource may take to reach this instance's informer. */
    private static final Duration SEEN = Duration.ofSeconds(5);

    private static final int ATTEMPTS = 5;

    private final ProjectResources resources;
    private final ProjectWatch watch;
    private final ProjectViews views;
    private final SecureRandom random = new SecureRandom();

    BranchProjects(ProjectResources resources, ProjectWatch watch, ProjectViews views) {
        this.resources = resources;
        this.watch = watch;
        this.views = views;
    }

    /**
     * Creates the project of a branch, with the parent's settings of the API and without its users, files, secrets and functions.
     *
     * @param annotations of the resource
     */
    public Project create(Project parent, String name, Map<String, String> annotations) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Project> created = resources.create(resource(parent, name, annotations));
            if (created.isPresent()) {
                Project project = created.get();
                watch.await(namespace(project), project.getMetadata().getName(), seen -> true, SEEN);
                return project;
            }
        }
        throw new IllegalStateException("no unused ref found in " + ATTEMPTS + " attempts");
    }

    private Project resource(Project parent, String name, Map<String, String> annotations) {
        NewIdentity identity = NewIdentity.random(random);
        Project project = new Project();
        project.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace(parent))
                .withName(identity.ref())
                .withAnnotations(annotations)
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(parent.getApiVersion())
                        .withKind(parent.getKind())
                        .withName(parent.getMetadata().getName())
                        .withUid(parent.getMetadata().getUid())
                        .build())
                .build());
        ProjectSpec from = parent.getSpec();
        project.setSpec(ProjectSpec.named(name).toBuilder()
                .organization(from.organization())
                .ref(identity.ref())
                .projectId(identity.projectId().toString())
                .branchOf(ProjectWatch.refOf(parent))
                .deletionPolicy(DeletionPolicy.DELETE)
                .limits(from.limits())
                .rest(from.rest())
                .realtime(from.realtime())
                .graphql(from.graphql())
                .build());
        return project;
    }

    /** All branches of an organisation's projects, oldest first. */
    public List<Project> list(Principal by) {
        return resources.ofOrganization(by.organization()).stream()
                .filter(project -> project.getSpec().branchOf() != null)
                .toList();
    }

    /** The branch with this ref or id. */
    public Optional<Project> find(Principal by, String idOrRef) {
        return list(by).stream()
                .filter(project -> {
                    ProjectIdentity identity = ProjectIdentity.of(project);
                    return identity.ref().equals(idOrRef)
                            || identity.projectId().toString().equalsIgnoreCase(idOrRef);
                })
                .findFirst();
    }

    /** Changes the resource with optimistic locking. */
    public Project edit(Project branch, Consumer<Project> change) {
        return resources.edit(branch, change);
    }

    public void delete(Project branch) {
        resources.delete(branch);
    }

    /** The project as soon as the operator has provisioned it; empty if that takes longer. */
    public Optional<Project> awaitReady(Project branch, Duration limit) {
        return watch.await(namespace(branch), branch.getMetadata().getName(), Project::isReady, limit);
    }

    /** Its state and addresses, as {@code /v1/projects/{ref}} has them. */
    public ProjectBodies.View view(Project branch) {
        return views.of(branch);
    }

    private static String namespace(Project project) {
        return project.getMetadata().getNamespace();
    }
}
