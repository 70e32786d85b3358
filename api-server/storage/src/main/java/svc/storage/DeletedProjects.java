package svc.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import svc.storage.content.ContentStore;
import svc.storage.content.StoreException;

/**
 * The projects that were deleted with their data, until their files are gone: tried until the store has done it, and once
 * more after a while, for uploads that were on their way.
 *
 * <p>Hazard: a project of the same namespace and name has the same id. What was stored after the deletion may be its.
 */
final class DeletedProjects {
    private static final Logger LOG = Logger.getLogger(DeletedProjects.class);

    private final ContentStore store;
    private final Duration grace;
    private final Clock clock;
    private final Map<UUID, Task> tasks = new ConcurrentHashMap<>();

    /** @param before then deleted */
    private record Task(Instant before, Instant due, boolean last) {}

    /** @param grace longer than any upload takes from its last byte to its row */
    DeletedProjects(ContentStore store, Duration grace, Clock clock) {
        this.store = store;
        this.grace = grace;
        this.clock = clock;
    }

    /** @param when its data was given up */
    void add(UUID projectId, Instant when) {
        tasks.put(projectId, new Task(when, Instant.MIN, false));
    }

    /**
     * Deletes what is due.
     *
     * @param present whether a project of that id exists again: its sweeper knows what has rows
     */
    void remove(Predicate<UUID> present) {
        tasks.forEach((projectId, task) -> {
            if (task.last() && present.test(projectId)) {
                tasks.remove(projectId, task);
            } else if (!clock.instant().isBefore(task.due())) {
                remove(projectId, task);
            }
        });
    }

    private void remove(UUID projectId, Task task) {
        try {
            store.deleteAll(projectId, task.before());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NOT_CONFIGURED) {
                LOG.warnf("the files of the deleted project %s are still there: %s", projectId, e.getMessage());
                return;
            }
        }
        Instant again = clock.instant().plus(grace);
        if (task.last()) {
            tasks.remove(projectId, task);
        } else {
            tasks.replace(projectId, task, new Task(again, again, true));
        }
    }
}
