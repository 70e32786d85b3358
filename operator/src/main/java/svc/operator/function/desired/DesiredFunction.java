package svc.operator.function.desired;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import svc.crds.function.EdgeFunction;
import svc.crds.function.FunctionObject;
import svc.operator.kubernetes.Labels;
import svc.operator.kubernetes.Ownership;
import svc.operator.pod.PodSettings;

/**
 * The input of all Kubernetes objects of a function.
 *
 * @param contentHash of the code to run, {@code sha256:…}
 * @param environment of its process
 */
public record DesiredFunction(
        EdgeFunction function,
        ServedProject project,
        String contentHash,
        FunctionEnvironment environment,
        RuntimeSettings runtime) {
    /** The value of {@link Labels#PURPOSE} on Deployment, Service, NetworkPolicy and pods. */
    public static final String PURPOSE = "function";

    /** Pod template annotation: the content hash of the code. */
    public static final String BUNDLE_HASH = "svc.platform/bundle-hash";

    /** Pod template annotation: a keyed digest of the environment. */
    public static final String ENVIRONMENT_HASH = "svc.platform/env-hash";

    String objectName() {
        return FunctionObject.name(function.getMetadata().getName());
    }

    String secretName() {
        return FunctionObject.environment(function.getMetadata().getName());
    }

    Map<String, String> selector() {
        return Map.of(Labels.FUNCTION, objectName());
    }

    Map<String, String> labels(String purpose) {
        Map<String, String> labels = new HashMap<>(Labels.of(project.access().ref(), purpose));
        labels.putAll(selector());
        return labels;
    }

    ObjectMeta metadata(String name, String purpose) {
        return metadata(name, purpose, Optional.empty());
    }

    /** @param settings digest of the installation's settings that the object depends on */
    ObjectMeta metadata(String name, String purpose, Optional<String> settings) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(function.getMetadata().getNamespace())
                .withLabels(labels(purpose))
                .withAnnotations(PodSettings.annotations(settings))
                .withOwnerReferences(Ownership.of(function))
                .build();
    }
}
