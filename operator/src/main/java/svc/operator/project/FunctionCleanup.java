package svc.operator.project;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.function.Function;
import svc.crds.function.EdgeFunction;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.secret.FunctionSecret;
import svc.operator.kubernetes.Labels;

/**
 * The functions and secrets that the Management API made for a project. They go with a project whose data goes: no manifest
 * describes them, and their code goes too. What somebody applied stays his, and says that its project is not there.
 */
final class FunctionCleanup {
    private FunctionCleanup() {}

    /** Removes them; what is gone already is no failure. */
    static void remove(KubernetesClient client, Project project) {
        // First the functions: a secret that goes before would roll them once more.
        remove(
                client,
                project,
                EdgeFunction.class,
                function -> function.getSpec().projectRef().name());
        remove(
                client,
                project,
                FunctionSecret.class,
                secret -> secret.getSpec().projectRef().name());
    }

    private static <T extends HasMetadata> void remove(
            KubernetesClient client, Project project, Class<T> kind, Function<T, String> projectOf) {
        List<T> made = client.resources(kind)
                .inNamespace(project.getMetadata().getNamespace())
                .withLabel(Labels.MANAGED_BY, Labels.API)
                .withLabel(Labels.REF, ProjectIdentity.of(project).ref())
                .list()
                .getItems();
        made.stream()
                // Labels are anybody's to write; the reference decides.
                .filter(object ->
                        projectOf.apply(object).equals(project.getMetadata().getName()))
                .forEach(object -> client.resource(object)
                        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                        .delete());
    }
}
