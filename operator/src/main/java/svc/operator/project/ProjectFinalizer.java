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
 * The mark that keeps a Project until what its deletion policy asks for is done. Its name is part of the stored objects and
 * of admins' scripts: never rename it.
 */
public final class ProjectFinalizer {
    public static final String NAME = "projects.svc.platform/finalizer";

    /** Of a JSON Patch one of whose tests fails; Java's list of codes ends before it. */
    private static final int UNPROCESSABLE = 422;

    private static final int ATTEMPTS = 10;

    private ProjectFinalizer() {}

    /**
     * Takes the mark off this Project, and off no other: one that was made since under the same name keeps its own, also
     * when the client sends the request a second time because the first answer was lost. Returns when the mark is gone.
     *
     * @throws KubernetesClientException when the API refuses, is away, or somebody else changes the list of marks all the
     *     time
     */
    public static void takeOff(KubernetesClient client, Project project) {
        Resource<Project> resource = client.resource(project);
        Optional<ObjectMeta> marked = marked(project, project);
        for (int attempt = 1; marked.isPresent(); attempt++) {
            try {
                resource.patch(PatchContext.of(PatchType.JSON), removal(marked.get()));
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                    return;
                }
                if (e.getCode() != UNPROCESSABLE || attempt == ATTEMPTS) {
                    throw e;
                }
            }
            marked = marked(project, resource.get());
        }
    }

    private static Optional<ObjectMeta> marked(Project project, Project now) {
        return Optional.ofNullable(now)
                .map(Project::getMetadata)
                .filter(meta -> meta.getUid().equals(project.getMetadata().getUid()))
                .filter(meta -> meta.getFinalizers().contains(NAME));
    }

    /** By its place, for others' marks are theirs; the place may be another's by now, and the name another Project's. */
    private static String removal(ObjectMeta meta) {
        String path = "/metadata/finalizers/" + meta.getFinalizers().indexOf(NAME);
        return """
                [{"op":"test","path":"/metadata/uid","value":"%s"},
                 {"op":"test","path":"%s","value":"%s"},
                 {"op":"remove","path":"%s"}]""".formatted(meta.getUid(), path, NAME, path);
    }
}
