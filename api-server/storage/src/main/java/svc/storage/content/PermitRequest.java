package svc.storage.content;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;
import svc.platform.memory.ByteBudget;

/** Asks a budget for a permit on an event loop: as long as the owner's share is in use it is asked again, up to a time. */
public final class PermitRequest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ByteBudget.Permit permit;
    private final long amount;
    private final Duration nextTry;
    private final Consumer<ByteBudget.Permit> granted;
    private final Runnable refused;
    private final long begun = System.nanoTime();

    private PermitRequest(
            ByteBudget.Permit permit,
            long amount,
            Duration nextTry,
            Consumer<ByteBudget.Permit> granted,
            Runnable refused) {
        this.permit = permit;
        this.amount = amount;
        this.nextTry = nextTry;
        this.granted = granted;
        this.refused = refused;
    }

    /**
     * Called on an event loop, on which exactly one of the callbacks is called: at once, or later.
     *
     * @param nextTry how long to wait before the budget is asked again
     * @param granted gets the permit, to be closed by it
     */
    public static void take(
            ByteBudget.Account account,
            long amount,
            Duration nextTry,
            Consumer<ByteBudget.Permit> granted,
            Runnable refused) {
        new PermitRequest(account.open(), amount, nextTry, granted, refused).attempt();
    }

    private void attempt() {
        switch (permit.grow(amount)) {
            case GRANTED -> granted.accept(permit);
            case TOO_LARGE -> refused.run();
            case BUSY -> {
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    refused.run();
                } else {
                    Vertx.currentContext().owner().setTimer(nextTry.toMillis(), again -> attempt());
                }
            }
        }
    }
}
