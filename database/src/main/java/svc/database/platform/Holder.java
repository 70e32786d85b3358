package svc.database.platform;

import static java.util.Objects.requireNonNull;

/** The custom resource that holds a project, by its namespace and name. */
public record Holder(String namespace, String name) {
    public Holder {
        requireNonNull(namespace, "namespace is null");
        requireNonNull(name, "name is null");
    }

    /** {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
