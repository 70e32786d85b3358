package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of a Cluster, from its conditions. The phase is a sentence for users: it decides only whether CloudNativePG has
 * given up. Pure.
 */
sealed interface ClusterState {
    /** It accepts writes. */
    record Ready() implements ClusterState {}

    /** Its instances are stopped by the hibernation annotation. */
    record Hibernated() implements ClusterState {}

    /** Not ready yet. */
    record Starting(String detail) implements ClusterState {}

    /** CloudNativePG stopped retrying. */
    record Failed(String detail) implements ClusterState {}

    /** Phases in which CloudNativePG needs manual intervention. */
    Set<String> GIVEN_UP = Set.of(
            "Invalid cluster definition",
            "Unable to create required cluster objects",
            "Cluster is unrecoverable and needs manual intervention");

    int MAX_DETAIL_CHARS = 300;

    static ClusterState of(GenericKubernetesResource cluster) {
        if (cluster.getMetadata().getDeletionTimestamp() != null) {
            return new Starting("the previous Cluster of this name is being deleted");
        }
        Map<?, ?> status =
                cluster.getAdditionalProperties().get("status") instanceof Map<?, ?> given ? given : Map.of();
        if (isTrue(status, ClusterKind.HIBERNATION)) {
            return new Hibernated();
        }
        boolean serving = status.get("readyInstances") instanceof Number ready && ready.intValue() > 0;
        if (isTrue(status, "Ready") && serving) {
            return new Ready();
        }
        String phase = text(status.get("phase"));
        if (GIVEN_UP.contains(phase)) {
            return new Failed(phase + detail(text(status.get("phaseReason"))));
        }
        return new Starting(phase.isEmpty() ? "CloudNativePG has not started to create it" : phase);
    }

    private static boolean isTrue(Map<?, ?> status, String type) {
        return status.get("conditions") instanceof List<?> conditions
                && conditions.stream()
                        .anyMatch(condition -> condition instanceof Map<?, ?> one
                                && type.equals(one.get("type"))
                                && "True".equals(one.get("status")));
    }

    private static String detail(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }

    private static String text(Object value) {
        String text = value instanceof String given ? given : "";
        return text.length() > MAX_DETAIL_CHARS ? text.substring(0, MAX_DETAIL_CHARS) : text;
    }
}
