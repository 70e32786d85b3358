package svc.operator.pod;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes on which pods may run.
 *
 * @param topologySpreadConstraints one without a label selector counts the pods of its own Deployment
 */
public record Placement(
        Map<String, String> nodeSelector,
        List<Toleration> tolerations,
        Optional<Affinity> affinity,
        List<TopologySpreadConstraint> topologySpreadConstraints) {
    /** Any node. */
    public static final Placement ANY = new Placement(Map.of(), List.of(), Optional.empty(), List.of());

    public Placement {
        nodeSelector = Collections.unmodifiableMap(new TreeMap<>(nodeSelector));
        tolerations = List.copyOf(tolerations);
        topologySpreadConstraints = List.copyOf(topologySpreadConstraints);
    }

    /** Without a label selector Kubernetes would count no pod at all, and the constraint would have no effect. */
    List<TopologySpreadConstraint> constraintsFor(Map<String, String> pods) {
        return topologySpreadConstraints.stream()
                .map(constraint -> constraint.getLabelSelector() != null
                        ? constraint
                        : new TopologySpreadConstraintBuilder(constraint)
                                .withLabelSelector(new LabelSelectorBuilder()
                                        .withMatchLabels(pods)
                                        .build())
                                .build())
                .toList();
    }
}
