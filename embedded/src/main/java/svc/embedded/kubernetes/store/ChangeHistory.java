package svc.embedded.kubernetes.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import svc.embedded.kubernetes.failure.ApiFailure;

/** The last changes, so that a watch broken off for a moment continues without listing again. Guarded by its store. */
final class ChangeHistory {
    private final int capacity;
    private final Deque<Change> changes = new ArrayDeque<>();
    private long floor;

    /** @param floor the version from which on every change will be known */
    ChangeHistory(int capacity, long floor) {
        this.capacity = capacity;
        this.floor = floor;
    }

    void add(Change change) {
        changes.addLast(change);
        if (changes.size() > capacity) {
            floor = changes.removeFirst().version();
        }
    }

    /** The changes after {@code version} in their order.
     *
     * @throws ApiFailure 410 when some of them are forgotten, or when the version was never given out */
    List<Change> after(long version, long current, Scope scope) {
        if (version < floor || version > current) {
            throw ApiFailure.expired(version, floor);
        }
        return changes.stream()
                .filter(change -> change.version() > version
                        && scope.contains(change.object().key()))
                .toList();
    }
}
