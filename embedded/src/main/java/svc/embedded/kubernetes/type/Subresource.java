package svc.embedded.kubernetes.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A part of an object with a path of its own, as discovery shows it.
 *
 * @param kind of what is sent and answered
 * @param group and {@code version} of that kind where they are not those of the object; else empty
 */
public record Subresource(String name, String kind, String group, String version, List<String> verbs) {
    private static final List<String> OBJECT_VERBS = List.of("get", "patch", "update");
    private static final Set<String> SCALABLE = Set.of("deployments", "replicasets", "statefulsets");

    /** The subresources of a resource in one of its versions. */
    public static List<Subresource> of(ResourceType type, ServedVersion version) {
        List<Subresource> found = new ArrayList<>();
        if (version.status()) {
            found.add(new Subresource("status", type.names().kind(), "", "", OBJECT_VERBS));
        }
        if (isScalable(type)) {
            found.add(new Subresource("scale", "Scale", "autoscaling", "v1", OBJECT_VERBS));
        }
        if (hasLog(type)) {
            found.add(new Subresource("log", type.names().kind(), "", "", List.of("get")));
        }
        return found;
    }

    public static boolean isScalable(ResourceType type) {
        return type.group().equals("apps") && SCALABLE.contains(type.names().plural());
    }

    public static boolean hasLog(ResourceType type) {
        return type.group().isEmpty() && type.names().plural().equals("pods");
    }
}
