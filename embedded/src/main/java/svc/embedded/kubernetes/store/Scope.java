package svc.embedded.kubernetes.store;

import java.util.Optional;

/** The objects of one resource, in one namespace or in all. */
public record Scope(String group, String resource, Optional<String> namespace) {
    public boolean contains(ObjectKey key) {
        return key.resource().equals(resource)
                && key.group().equals(group)
                && (namespace.isEmpty() || key.namespace().equals(namespace.get()));
    }

    ObjectKey first() {
        return new ObjectKey(group, resource, namespace.orElse(""), "");
    }
}
