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
 * The cluster of a project as it should be. It has no owner reference: Kubernetes would remove it, and its volumes, together
 * with a Project whose data is to be kept. Pure.
 */
final class DesiredCluster {
    /** The value of {@link Labels#PURPOSE}. */
    static final String PURPOSE = "database";

    /** The database in it that is the project's. */
    static final String DATABASE = "app";

    /** Says that the cluster rests because its Project was deleted, and may be woken by one that comes back. */
    static final String RETAINED = "svc.platform/retained";

    private DesiredCluster() {}

    /** Of one ref there is one project, so there is one cluster of this name. */
    static String name(String ref) {
        return "svc-" + ref;
    }

    /** @param woken whether the cluster was put to rest when its Project was deleted */
    static GenericKubernetesResource of(String namespace, String ref, UUID projectId, ClusterSpec wish, boolean woken) {
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
        cluster.setAdditionalProperty("spec", spec(wish));
        return cluster;
    }

    private static Map<String, Object> spec(ClusterSpec wish) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("instances", wish.instances());
        Optional.ofNullable(wish.imageName()).ifPresent(image -> spec.put("imageName", image));
        Map<String, Object> storage = new LinkedHashMap<>();
        storage.put("size", wish.storage().size().toString());
        Optional.ofNullable(wish.storage().storageClass()).ifPresent(type -> storage.put("storageClass", type));
        spec.put("storage", storage);
        resources(wish.resources()).ifPresent(resources -> spec.put("resources", resources));
        spec.put("bootstrap", Map.of("initdb", Map.of("database", DATABASE, "owner", DATABASE)));
        // The guard against DDL of the data plane is an event trigger, which only a superuser can make.
        spec.put("enableSuperuserAccess", true);
        // Of a single instance a budget would stop every drain of its node.
        spec.put("enablePDB", wish.instances() > 1);
        if (!wish.parameters().isEmpty()) {
            spec.put("postgresql", Map.of("parameters", wish.parameters()));
        }
        return spec;
    }

    private static Optional<Map<String, Object>> resources(ResourcesSpec wish) {
        if (wish == null) {
            return Optional.empty();
        }
        Map<String, Object> resources = new LinkedHashMap<>();
        amounts(wish.requests()).ifPresent(amounts -> resources.put("requests", amounts));
        amounts(wish.limits()).ifPresent(amounts -> resources.put("limits", amounts));
        return Optional.of(resources).filter(given -> !given.isEmpty());
    }

    private static Optional<Map<String, String>> amounts(ResourceAmounts wish) {
        if (wish == null) {
            return Optional.empty();
        }
        return Optional.of(Stream.of(amount("cpu", wish.cpu()), amount("memory", wish.memory()))
                        .flatMap(Optional::stream)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .filter(given -> !given.isEmpty());
    }

    private static Optional<Map.Entry<String, String>> amount(String name, Quantity quantity) {
        return Optional.ofNullable(quantity).map(given -> Map.entry(name, given.toString()));
    }
}
