package svc.platform.budget;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A request in line. Its state is guarded by the lock of its budget. */
final class WaitingRequest implements Lifetime.Bound {
    private final Budget budget;
    private final Permit permit;
    private final long amount;
    private final Terms terms;
    private final Node node;
    private final long order;
    private final long begun = System.nanoTime();
    private CompletableFuture<Boolean> alarm = CompletableFuture.completedFuture(true);

    /**
     * How a request waits.
     *
     * @param on runs the receiver
     */
    record Terms(Lifetime owner, Duration patience, Executor on, Consumer<Outcome> receiver) {}

    WaitingRequest(Budget budget, Permit permit, long amount, Terms terms, Node node) {
        this.budget = budget;
        this.permit = permit;
        this.amount = amount;
        this.terms = terms;
        this.node = node;
        this.order = node.tick();
    }

    Permit permit() {
        return permit;
    }

    long amount() {
        return amount;
    }

    Node node() {
        return node;
    }

    long order() {
        return order;
    }

    /** Looks after the request again in a while, or at the end of its patience; on a thread of the JVM's clock. */
    void wake(Duration after) {
        long left = terms.patience().toNanos() - (System.nanoTime() - begun);
        alarm = new CompletableFuture<Boolean>()
                .completeOnTimeout(false, Math.max(0, Math.min(left, after.toNanos())), TimeUnit.NANOSECONDS);
        var unused = alarm.thenAccept(decided -> {
            if (!decided) {
                budget.tend(this);
            }
        });
    }

    boolean isLate() {
        return System.nanoTime() - begun >= terms.patience().toNanos();
    }

    /** Hands the outcome to the receiver, outside the lock, unless the owner has ended by then. */
    void decided(Outcome outcome) {
        alarm.complete(true);
        terms.owner().release(this);
        terms.on().execute(() -> deliver(terms, outcome));
    }

    static void deliver(Terms terms, Outcome outcome) {
        if (!terms.owner().isOver()) {
            terms.receiver().accept(outcome);
        }
    }

    @Override
    public void ownerEnded() {
        alarm.complete(true);
        budget.leave(this);
    }
}
