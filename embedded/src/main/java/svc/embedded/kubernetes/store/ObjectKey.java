package svc.embedded.kubernetes.store;

import java.util.Comparator;

/** The key of an object in the store. Cluster-scoped objects have an empty namespace, the core group an empty name. */
public record ObjectKey(String group, String resource, String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER = Comparator.comparing(ObjectKey::group)
            .thenComparing(ObjectKey::resource)
            .thenComparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name);

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }
}
