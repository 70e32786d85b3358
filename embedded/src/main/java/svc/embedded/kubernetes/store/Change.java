package svc.embedded.kubernetes.store;

import java.util.Optional;

/**
 * One committed write.
 *
 * @param object the state after it; of a removal the last state, under the version of the removal
 * @param previous the state before it; empty for a creation
 */
public record Change(Type type, StoredObject object, Optional<StoredObject> previous) {
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    public long version() {
        return object.version();
    }
}
