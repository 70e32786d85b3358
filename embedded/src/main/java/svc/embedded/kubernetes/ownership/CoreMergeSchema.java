package svc.embedded.kubernetes.ownership;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How the built-in kinds and every object's metadata are merged: the merge keys of the Kubernetes API reference, found
 * by the name of the field and, where one name means two things, by the field around it.
 */
public record CoreMergeSchema(String parent, String name) implements MergeSchema {
    /** The place of a whole object of a built-in kind. */
    public static final CoreMergeSchema ROOT = new CoreMergeSchema("", "");

    private static final ListShape ATOMIC = new ListShape.Atomic();
    private static final ListShape BY_NAME = keyed("name");
    private static final Map<String, ListShape> LISTS = Map.ofEntries(
            Map.entry("containers", BY_NAME),
            Map.entry("initContainers", BY_NAME),
            Map.entry("ephemeralContainers", BY_NAME),
            Map.entry("env", BY_NAME),
            Map.entry("volumes", BY_NAME),
            Map.entry("imagePullSecrets", BY_NAME),
            Map.entry("secrets", BY_NAME),
            Map.entry("volumeMounts", keyed("mountPath")),
            Map.entry("volumeDevices", keyed("devicePath")),
            Map.entry("hostAliases", keyed("ip")),
            Map.entry("podIPs", keyed("ip")),
            Map.entry("conditions", keyed("type")),
            Map.entry("ownerReferences", keyed("uid")),
            Map.entry("topologySpreadConstraints", keyed("topologyKey", "whenUnsatisfiable")),
            Map.entry("finalizers", new ListShape.Set()));
    private static final Set<String> ATOMIC_MAPS = Set.of(
            "selector",
            "labelSelector",
            "podSelector",
            "namespaceSelector",
            "nodeSelector",
            "configMapKeyRef",
            "secretKeyRef",
            "fieldRef",
            "resourceFieldRef");

    @Override
    public MergeSchema field(String field) {
        return new CoreMergeSchema(name, field);
    }

    @Override
    public MergeSchema item() {
        return this;
    }

    @Override
    public ListShape list() {
        if (name.equals("ports")) {
            return switch (parent) {
                case "containers", "initContainers" -> ports("containerPort");
                case "spec" -> ports("port");
                default -> ATOMIC;
            };
        }
        return LISTS.getOrDefault(name, ATOMIC);
    }

    @Override
    public boolean atomicMap() {
        return ATOMIC_MAPS.contains(name);
    }

    private static ListShape ports(String number) {
        return new ListShape.Keyed(List.of(new Key(number, ""), new Key("protocol", "TCP")));
    }

    private static ListShape keyed(String... names) {
        return new ListShape.Keyed(
                java.util.Arrays.stream(names).map(key -> new Key(key, "")).toList());
    }
}
