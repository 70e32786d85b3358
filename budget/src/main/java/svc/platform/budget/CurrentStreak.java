package svc.platform.budget;

import java.util.Optional;

/** The account that was served last, and for how long. Guarded by the lock of its budget. */
final class CurrentStreak {
    private final BudgetSettings.Streak limit;
    private Optional<Node> owner = Optional.empty();
    private int requests;
    private long nanos;

    CurrentStreak(BudgetSettings settings) {
        this.limit = settings.streak();
    }

    private boolean isOf(Node node) {
        return owner.isPresent() && owner.get() == node;
    }

    void served(Node node) {
        if (limit.requests() > 1) {
            requests = isOf(node) ? requests + 1 : 1;
            nanos = isOf(node) ? nanos : 0;
            owner = Optional.of(node);
        }
    }

    void returned(Node node, long heldFor) {
        if (isOf(node)) {
            nanos += heldFor;
        }
    }

    /** The account that is served before others, if it waits. */
    Optional<Node> owner() {
        return requests < limit.requests() && nanos < limit.time().toNanos() ? owner : Optional.empty();
    }
}
