package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.crds.project.database.ClusterSpec;
import svc.crds.project.database.ResourceAmounts;
import svc.crds.project.database.ResourcesSpec;
import svc.operator.kubernetes.Labels;

/**
 * The desired Cluster of a project. It has no owner reference: Kubernetes would delete it and its volumes together with a
 * Project whose deletion policy is Retain. Pure.
 */
final class DesiredCluster {
    /** The value of {@link Labels#PURPOSE}. */
    static final String PURPOSE = "database";

    /** The project's database in the Cluster. */
    static final String DATABASE = "app";

    /** Marks a Cluster that hibernates because its Project was deleted; the same Project wakes it. */
    static final String RETAINED = "svc.platform/retained";

    private DesiredCluster() {}

    /** One Cluster per ref. */
    static String name(String ref) {
        return "svc-" + ref;
    }

    /** @param woken whether the operator hibernated the Cluster when its Project was deleted */
    static GenericKubernetesResource of(
            String namespace, String ref, UUID projectId, ClusterSpec clusterSpec, boolean woken) {
        Map<String, String> labels = new LinkedHashMap<>(Labels.of(ref, PURPOSE));
        labels.put(Labels.PROJECT_ID, projectId.toString());
        Map<String, String> annotations = new LinkedHashMap<>();
        if (woken) {
            annotations.put(ClusterKind.HIBERNATION, "off");
            labels.put(RETAINED, "false");
        }
        var cluster = new GenericKubernetesResource();
        cluster.setApiVersion(ClusterKind.API_VERSION);
        cluster.setKind(ClusterKind.KIND);
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name(ref))
                .withLabels(labels)
                .withAnnotations(annotations)
                .build());
        cluster.setAdditionalProperty("spec", spec(clusterSpec));
        return cluster;
    }

    private static Map<String, Object> spec(ClusterSpec clusterSpec) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("instances", clusterSpec.instances());
        Optional.ofNullable(clusterSpec.imageName()).ifPresent(image -> spec.put("imageName", image));
        Map<String, Object> storage = new LinkedHashMap<>();
        storage.put("size", clusterSpec.storage().size().toString());
        Optional.ofNullable(clusterSpec.storage().storageClass()).ifPresent(type -> storage.put("storageClass", type));
        spec.put("storage", storage);
        resources(clusterSpec.resources()).ifPresent(resources -> spec.put("resources", resources));
        spec.put("bootstrap", Map.of("initdb", Map.of("database", DATABASE, "owner", DATABASE)));
        // Only a superuser can create the event trigger that guards against DDL of the data plane.
        spec.put("enableSuperuserAccess", true);
        // A disruption budget for a single instance would block every drain of its node.
        spec.put("enablePDB", clusterSpec.instances() > 1);
        if (!clusterSpec.parameters().isEmpty()) {
            spec.put("postgresql", Map.of("parameters", clusterSpec.parameters()));
        }
        return spec;
    }

    private static Optional<Map<String, Object>> resources(ResourcesSpec resourcesSpec) {
        if (resourcesSpec == null) {
            return Optional.empty();
        }
        Map<String, Object> resources = new LinkedHashMap<>();
        amounts(resourcesSpec.requests()).ifPresent(amounts -> resources.put("requests", amounts));
        amounts(resourcesSpec.limits()).ifPresent(amounts -> resources.put("limits", amounts));
        return Optional.of(resources).filter(given -> !given.isEmpty());
    }

    private static Optional<Map<String, String>> amounts(ResourceAmounts amounts) {
        if (amounts == null) {
            return Optional.empty();
        }
        return Optional.of(Stream.of(amount("cpu", amounts.cpu()), amount("memory", amounts.memory()))
                        .flatMap(Optional::stream)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .filter(given -> !given.isEmpty());
    }

    private static Optional<Map.Entry<String, String>> amount(String name, Quantity quantity) {
        return Optional.ofNullable(quantity).map(given -> Map.entry(name, given.toString()));
    }
}
