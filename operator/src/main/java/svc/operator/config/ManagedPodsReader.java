package svc.operator.config;

import static svc.operator.config.PodSettingValue.json;
import static svc.operator.config.PodSettingValue.refused;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import svc.operator.pod.Confinement;
import svc.operator.pod.EphemeralStorage;
import svc.operator.pod.ManagedPods;
import svc.operator.pod.NameServers;
import svc.operator.pod.Placement;
import svc.operator.pod.PodSettings;
import svc.operator.pod.ResourceCeiling;

/**
 * Reads and validates {@link ManagedPodsConfig} at the start: an invalid value would otherwise fail the reconciliation of
 * every function, one by one, with the text of the Kubernetes API.
 */
public final class ManagedPodsReader {
    private static final int MAX_PORT = 65_535;
    private static final Set<String> EFFECTS = Set.of("", "NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final Set<String> OPERATORS = Set.of("", "Equal", "Exists", "Lt", "Gt");
    private static final Set<String> WHEN_UNSATISFIABLE = Set.of("DoNotSchedule", "ScheduleAnyway");

    private ManagedPodsReader() {}

    /** @throws IllegalStateException when a value is invalid; begins with its key */
    public static ManagedPods read(ManagedPodsConfig config) {
        var settings = new PodSettings(
                config.imagePullSecrets().orElse(List.of()).stream()
                        .map(name -> PodSettingValue.name("image-pull-secrets", name))
                        .toList(),
                config.runtimeClass().map(name -> PodSettingValue.name("runtime-class", name)),
                config.priorityClass().map(name -> PodSettingValue.name("priority-class", name)),
                placement(config),
                confinement(config),
                storage(config));
        var ceiling = new ResourceCeiling(
                config.maxCpu().map(text -> PodSettingValue.quantity("max-cpu", text)),
                config.maxMemory().map(text -> PodSettingValue.quantity("max-memory", text)));
        return new ManagedPods(settings, nameServers(config), ceiling);
    }

    private static Placement placement(ManagedPodsConfig config) {
        Map<String, String> nodes = config.nodeSelector()
                .map(text -> json("node-selector", text, new TypeReference<Map<String, String>>() {}))
                .orElse(Map.of());
        require(nodes.values().stream().noneMatch(Objects::isNull), "node-selector", "every label needs a value");
        List<Toleration> tolerations = config.tolerations()
                .map(text -> json("tolerations", text, new TypeReference<List<Toleration>>() {}))
                .orElse(List.of());
        tolerations.forEach(ManagedPodsReader::check);
        List<TopologySpreadConstraint> spread = config.topologySpreadConstraints()
                .map(text -> json(
                        "topology-spread-constraints", text, new TypeReference<List<TopologySpreadConstraint>>() {}))
                .orElse(List.of());
        spread.forEach(ManagedPodsReader::check);
        return new Placement(
                nodes,
                tolerations,
                config.affinity().map(text -> json("affinity", text, new TypeReference<Affinity>() {})),
                spread);
    }

    private static void check(Toleration toleration) {
        require(toleration != null, "tolerations", "null is no toleration: remove it");
        require(
                EFFECTS.contains(orEmpty(toleration.getEffect())),
                "tolerations",
                "effect must be NoSchedule, PreferNoSchedule or NoExecute, not " + toleration.getEffect());
        require(
                OPERATORS.contains(orEmpty(toleration.getOperator())),
                "tolerations",
                "operator must be Equal or Exists, not " + toleration.getOperator());
        boolean anyKey = orEmpty(toleration.getKey()).isEmpty();
        require(
                !anyKey || "Exists".equals(toleration.getOperator()),
                "tolerations",
                "a toleration without a key needs the operator Exists");
    }

    private static void check(TopologySpreadConstraint constraint) {
        String key = "topology-spread-constraints";
        require(constraint != null, key, "null is no constraint: remove it");
        require(constraint.getMaxSkew() != null && constraint.getMaxSkew() > 0, key, "maxSkew must be a number from 1");
        require(!orEmpty(constraint.getTopologyKey()).isEmpty(), key, "topologyKey is missing");
        require(
                WHEN_UNSATISFIABLE.contains(orEmpty(constraint.getWhenUnsatisfiable())),
                key,
                "whenUnsatisfiable must be DoNotSchedule or ScheduleAnyway");
    }

    private static Confinement confinement(ManagedPodsConfig config) {
        return RestrictedStandard.checked(new Confinement(
                config.podSecurityContext()
                        .map(text -> json("pod-security-context", text, new TypeReference<PodSecurityContext>() {}))
                        .orElse(Confinement.RESTRICTED.pod()),
                config.containerSecurityContext()
                        .map(text -> json("container-security-context", text, new TypeReference<SecurityContext>() {}))
                        .orElse(Confinement.RESTRICTED.container())));
    }

    private static EphemeralStorage storage(ManagedPodsConfig config) {
        var storage = new EphemeralStorage(
                config.ephemeralStorageRequest()
                        .map(text -> PodSettingValue.quantity("ephemeral-storage-request", text)),
                config.ephemeralStorageLimit().map(text -> PodSettingValue.quantity("ephemeral-storage-limit", text)));
        storage.request()
                .ifPresent(request -> require(
                        storage.limit()
                                .filter(limit ->
                                        request.getNumericalAmount().compareTo(limit.getNumericalAmount()) <= 0)
                                .isPresent(),
                        "ephemeral-storage-request",
                        "it must not exceed svc.managed-pods.ephemeral-storage-limit: set that too"));
        return storage;
    }

    private static NameServers nameServers(ManagedPodsConfig config) {
        List<NetworkPolicyPeer> peers = config.dnsTo()
                .map(text -> json("dns-to", text, new TypeReference<List<NetworkPolicyPeer>>() {}))
                .orElse(List.of());
        for (NetworkPolicyPeer peer : peers) {
            boolean pods = peer != null && (peer.getPodSelector() != null || peer.getNamespaceSelector() != null);
            boolean block = peer != null && peer.getIpBlock() != null;
            require(pods != block, "dns-to", "each entry needs selectors or an ipBlock, and not both");
            require(!block || !orEmpty(peer.getIpBlock().getCidr()).isEmpty(), "dns-to", "ipBlock needs a cidr");
        }
        int port = config.dnsPort();
        require(port > 0 && port <= MAX_PORT, "dns-port", "it must be a port from 1 to " + MAX_PORT);
        return new NameServers(peers, port);
    }

    private static void require(boolean met, String key, String rule) {
        if (!met) {
            throw refused(key, rule);
        }
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
