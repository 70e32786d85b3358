package svc.operator.project;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Optional;
import svc.crds.project.Project;

/**
 * The finalizer that keeps a deleted Project until its deletion policy is carried out. Its name is part of stored objects and
 * of admins' scripts: never rename it.
 */
public final class ProjectFinalizer {
    public static final String NAME = "projects.svc.platform/finalizer";

    /** HTTP status when a test operation of a JSON Patch fails. */
    private static final int UNPROCESSABLE = 422;

    private static final int MAX_ATTEMPTS = 10;

    private ProjectFinalizer() {}

    /**
     * Removes the finalizer from this Project and from no other. A Project that was created later under the same name keeps
     * its own, also when the client repeats the request because the first response was lost.
     *
     * @throws KubernetesClientException when the API refuses or does not answer, or another writer changes the list of
     *     finalizers before every attempt
     */
    public static void remove(KubernetesClient client, Project project) {
        Resource<Project> resource = client.resource(project);
        Optional<ObjectMeta> found = withFinalizer(project, project);
        for (int attempt = 1; found.isPresent(); attempt++) {
            try {
                resource.patch(PatchContext.of(PatchType.JSON), removal(found.get()));
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                    return;
                }
                if (e.getCode() != UNPROCESSABLE || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
            found = withFinalizer(project, resource.get());
        }
    }

    private static Optional<ObjectMeta> withFinalizer(Project project, Project now) {
        return Optional.ofNullable(now)
                .map(Project::getMetadata)
                .filter(meta -> meta.getUid().equals(project.getMetadata().getUid()))
                .filter(meta -> meta.getFinalizers().contains(NAME));
    }

    /** Removes by index and tests first: the index may hold another finalizer by now, and the name another Project. */
    private static String removal(ObjectMeta meta) {
        String path = "/metadata/finalizers/" + meta.getFinalizers().indexOf(NAME);
        return """
                [{"op":"test","path":"/metadata/uid","value":"%s"},
                 {"op":"test","path":"%s","value":"%s"},
                 {"op":"remove","path":"%s"}]""".formatted(meta.getUid(), path, NAME, path);
    }
}
