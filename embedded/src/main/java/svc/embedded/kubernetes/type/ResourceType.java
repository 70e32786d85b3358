package svc.embedded.kubernetes.type;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import svc.embedded.kubernetes.failure.ApiFailure;
import svc.embedded.kubernetes.store.ObjectKey;
import svc.embedded.kubernetes.store.Scope;

/**
 * A resource that the API serves.
 *
 * @param names plural, singular, kind and short names
 * @param storageGroup the group its objects are kept under: its own, but for the second view on events
 * @param versions the served ones, the preferred one first
 */
public record ResourceType(
        String group, Names names, boolean namespaced, String storageGroup, List<ServedVersion> versions) {
    private static final Set<String> WITHOUT_GENERATION =
            Set.of("coordination.k8s.io", "rbac.authorization.k8s.io", "events.k8s.io");

    /** The names of a resource, as discovery shows them. */
    public record Names(
            String plural,
            String singular,
            String kind,
            String listKind,
            List<String> shortNames,
            List<String> categories) {}

    public Optional<ServedVersion> version(String name) {
        return versions.stream().filter(version -> version.name().equals(name)).findFirst();
    }

    public String apiVersion(ServedVersion version) {
        return group.isEmpty() ? version.name() : group + "/" + version.name();
    }

    public ObjectKey key(String namespace, String name) {
        return new ObjectKey(storageGroup, names.plural(), namespaced ? namespace : "", name);
    }

    public Scope scope(Optional<String> namespace) {
        return new Scope(storageGroup, names.plural(), namespace);
    }

    /** The subject of error messages about one of its objects. */
    public ApiFailure.Subject subject(String name) {
        return new ApiFailure.Subject(group, names.plural(), names.kind(), name);
    }

    /** Whether a change of the desired state increments {@code metadata.generation}. */
    public boolean countsGenerations() {
        return !group.isEmpty() && !WITHOUT_GENERATION.contains(group);
    }
}
