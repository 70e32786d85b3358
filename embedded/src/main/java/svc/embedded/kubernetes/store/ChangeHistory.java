package svc.embedded.kubernetes.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import svc.embedded.kubernetes.failure.ApiFailure;

/** The most recent changes, so that an interrupted watch resumes without a new list. Guarded by its store. */
final class ChangeHistory {
    private final int capacity;
    private final long byteCapacity;
    private final Deque<Change> changes = new ArrayDeque<>();
    private long bytes;
    private long floor;

    /**
     * @param byteCapacity the maximum size of the kept states, in bytes of JSON
     * @param floor the version from which on every change will be known
     */
    ChangeHistory(int capacity, long byteCapacity, long floor) {
        this.capacity = capacity;
        this.byteCapacity = byteCapacity;
        this.floor = floor;
    }

    void add(Change change) {
        changes.addLast(change);
        bytes += change.object().json().length;
        while (changes.size() > capacity || bytes > byteCapacity && changes.size() > 1) {
            Change forgotten = changes.removeFirst();
            bytes -= forgotten.object().json().length;
            floor = forgotten.version();
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
