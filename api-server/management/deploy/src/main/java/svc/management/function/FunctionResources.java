package svc.management.function;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import svc.crds.function.EdgeFunction;
import svc.crds.function.EdgeFunctionSpec;
import svc.crds.project.Project;
import svc.crds.project.ProjectIdentity;
import svc.crds.reference.LocalReference;

/** Reads and writes EdgeFunction resources of a project, directly from the Kubernetes API and not from an informer. */
@ApplicationScoped
class FunctionResources {
    private final KubernetesClient kubernetes;

    FunctionResources(KubernetesClient kubernetes) {
        this.kubernetes = kubernetes;
    }

    /** The functions of the project by name; of several with one name the oldest, which is the active one. */
    List<EdgeFunction> ofProject(Project project) {
        return KubernetesCalls.call(
                () -> kubernetes
                        .resources(EdgeFunction.class)
                        .inNamespace(project.getMetadata().getNamespace())
                        .list()
                        .getItems()
                        .stream()
                        .filter(function -> function.getSpec()
                                .projectRef()
                                .name()
                                .equals(project.getMetadata().getName()))
                        .sorted(Comparator.comparing((EdgeFunction function) ->
                                        function.getSpec().name())
                                .thenComparing(
                                        function -> function.getMetadata().getCreationTimestamp())
                                .thenComparing(
                                        function -> function.getMetadata().getName()))
                        .toList());
    }

    static Optional<EdgeFunction> named(List<EdgeFunction> functions, String name) {
        return functions.stream()
                .filter(function -> function.getSpec().name().equals(name))
                .findFirst();
    }

    /** Creates a resource; empty if one with its name exists. */
    Optional<EdgeFunction> create(Project project, String name, String contentHash, boolean verifyJwt, String tokenId) {
        String ref = ProjectIdentity.of(project).ref();
        EdgeFunction function = new EdgeFunction();
        function.setMetadata(new ObjectMetaBuilder()
                .withNamespace(project.getMetadata().getNamespace())
                .withName(FunctionId.resourceName(ref, name))
                .withLabels(Map.of(ApiLabels.REF, ref, ApiLabels.MANAGED_BY, ApiLabels.API))
                .withAnnotations(Map.of(ApiLabels.TOKEN, tokenId))
                .build());
        function.setSpec(new EdgeFunctionSpec(
                new LocalReference(project.getMetadata().getName()),
                name,
                null,
                null,
                contentHash,
                null,
                verifyJwt,
                null,
                null));
        return KubernetesCalls.retried(() -> kubernetes.resource(function).create());
    }

    /** Changes a resource; empty after repeated conflicts, or if it is gone. */
    Optional<EdgeFunction> change(EdgeFunction function, UnaryOperator<EdgeFunctionSpec> change) {
        return KubernetesCalls.retried(() -> find(function).map(current -> {
                    EdgeFunctionSpec changed = change.apply(current.getSpec());
                    if (changed.equals(current.getSpec())) {
                        return current;
                    }
                    current.setSpec(changed);
                    return kubernetes.resource(current).update();
                }))
                .flatMap(found -> found);
    }

    /** The current resource, if it is still the same one. */
    Optional<EdgeFunction> find(EdgeFunction function) {
        return Optional.ofNullable(KubernetesCalls.call(() -> kubernetes
                        .resources(EdgeFunction.class)
                        .inNamespace(function.getMetadata().getNamespace())
                        .withName(function.getMetadata().getName())
                        .get()))
                .filter(found -> found.getMetadata()
                        .getUid()
                        .equals(function.getMetadata().getUid()));
    }

    /** Also deletes the objects that the operator created for it. */
    void delete(EdgeFunction function) {
        KubernetesCalls.call(() -> kubernetes
                .resource(function)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete());
    }

    /** The same function with other code. */
    static EdgeFunctionSpec withCode(EdgeFunctionSpec spec, String contentHash, boolean verifyJwt) {
        return new EdgeFunctionSpec(
                spec.projectRef(),
                spec.name(),
                null,
                null,
                contentHash,
                null,
                verifyJwt,
                spec.resources(),
                spec.scale());
    }

    static EdgeFunctionSpec withVerifyJwt(EdgeFunctionSpec spec, boolean verifyJwt) {
        return new EdgeFunctionSpec(
                spec.projectRef(),
                spec.name(),
                spec.source(),
                spec.files(),
                spec.contentHash(),
                spec.importMap(),
                verifyJwt,
                spec.resources(),
                spec.scale());
    }
}
