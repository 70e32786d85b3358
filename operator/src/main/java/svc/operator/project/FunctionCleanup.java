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
 * Deletes the EdgeFunctions and FunctionSecrets that the Management API created for a deleted project: no manifest describes
 * them. Resources that a user applied stay, and their conditions report that the project is missing.
 */
final class FunctionCleanup {
    private FunctionCleanup() {}

    /** Idempotent. */
    static void deleteFunctions(KubernetesClient client, Project project) {
        // Functions first: deleting a secret first would roll them out once more.
        delete(
                client,
                project,
                EdgeFunction.class,
                function -> function.getSpec().projectRef().name());
        delete(
                client,
                project,
                FunctionSecret.class,
                secret -> secret.getSpec().projectRef().name());
    }

    private static <T extends HasMetadata> void delete(
            KubernetesClient client, Project project, Class<T> kind, Function<T, String> projectOf) {
        List<T> created = client.resources(kind)
                .inNamespace(project.getMetadata().getNamespace())
                .withLabel(Labels.MANAGED_BY, Labels.API)
                .withLabel(Labels.REF, ProjectIdentity.of(project).ref())
                .list()
                .getItems();
        created.stream()
                // Users may write labels; the reference decides.
                .filter(object ->
                        projectOf.apply(object).equals(project.getMetadata().getName()))
                .forEach(object -> client.resource(object)
                        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                        .delete());
    }
}
