package svc.platform.budget;

import java.util.Optional;
import java.util.function.LongSupplier;

/** The account that was served last, and for how long. Guarded by the lock of its budget. */
final class CurrentStreak {
    private final BudgetSettings.Streak limit;
    private final LongSupplier clock;
    private Optional<Node> owner = Optional.empty();
    private int requests;
    private long nanos;

    CurrentStreak(BudgetSettings settings) {
        this.limit = settings.streak();
        this.clock = settings.nanos();
    }

    private boolean isOf(Node node) {
        return owner.isPresent() && owner.get() == node;
    }

    /** Zero where no time is kept. */
    long now() {
        return limit.requests() > 1 ? clock.getAsLong() : 0;
    }

    void served(Node node) {
        if (limit.requests() > 1) {
            requests = isOf(node) ? requests + 1 : 1;
            nanos = isOf(node) ? nanos : 0;
            owner = Optional.of(node);
        }
    }

    void returned(Node node, long heldSince) {
        if (isOf(node)) {
            nanos += now() - heldSince;
        }
    }

    /** The account that is served before others, if it waits. */
    Optional<Node> owner() {
        return requests < limit.requests() && nanos < limit.time().toNanos() ? owner : Optional.empty();
    }
}
