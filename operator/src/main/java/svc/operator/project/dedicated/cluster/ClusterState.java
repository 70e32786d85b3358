package svc.operator.project.dedicated.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How far a cluster is, from its conditions: the phase is a sentence for people, and looked at only for those that say that
 * waiting is in vain. Pure.
 */
sealed interface ClusterState {
    /** It takes writes. */
    record Ready() implements ClusterState {}

    /** Its instances are stopped, because somebody asked for that. */
    record Hibernated() implements ClusterState {}

    /** Not yet; time will tell. */
    record Starting(String detail) implements ClusterState {}

    /** CloudNativePG has given up. */
    record Failed(String detail) implements ClusterState {}

    /** Phases with which CloudNativePG says that it needs a person. */
    Set<String> GIVEN_UP = Set.of(
            "Invalid cluster definition",
            "Unable to create required cluster objects",
            "Cluster is unrecoverable and needs manual intervention");

    int LONGEST_DETAIL = 300;

    static ClusterState of(GenericKubernetesResource cluster) {
        if (cluster.getMetadata().getDeletionTimestamp() != null) {
            return new Starting("one of before is being deleted");
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
        return new Starting(phase.isEmpty() ? "CloudNativePG has not begun with it" : phase);
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
        return text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) : text;
    }
}
