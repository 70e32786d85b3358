package svc.operator.project;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Has a Project reconciled at once, by its id, for parts of the operator that know of a change and have no resource to watch.
 * Does nothing on a replica that does not lead: the leader hears of the change itself.
 */
public final class ProjectTrigger {
    private final AtomicReference<Consumer<UUID>> reconciler = new AtomicReference<>(project -> {});

    /** Reconciles the project if it is known. Returns at once. */
    public void trigger(UUID project) {
        reconciler.get().accept(project);
    }

    void connect(Consumer<UUID> target) {
        reconciler.set(target);
    }
}
