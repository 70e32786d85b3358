package svc.storage.content;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import svc.platform.memory.ByteBudget;
import svc.storage.content.StoreException.Kind;

/**
 * Connections to the store, shared by projects as memory is: one alone may use half of them, and a few are always left for
 * those that use none. A call lasts as long as the store takes, never as long as a client does.
 */
public final class StoreTurns {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration NEXT_TRY = Duration.ofMillis(5);

    /** Units of the budget that one connection is: the budget rounds shares, so that one unit would be too coarse. */
    private static final int UNITS = 1024;

    private final ByteBudget budget;

    /** @param connections at the same time */
    public StoreTurns(int connections) {
        this.budget = new ByteBudget((long) connections * UNITS);
    }

    /**
     * The same for a call that is made on an event loop, on which one of the callbacks is called.
     *
     * @param granted gets the connection's permit, to be closed at the end of the call
     */
    void take(String owner, Consumer<ByteBudget.Permit> granted, Consumer<StoreException> refused) {
        PermitRequest.take(budget.account(owner), UNITS, NEXT_TRY, granted, () -> refused.accept(busy()));
    }

    /** Zero when no call is on its way. */
    long held() {
        return budget.held();
    }

    private static StoreException busy() {
        return new StoreException(Kind.BUSY, "the project's calls use its share of the store", null);
    }

    public <T> T take(String owner, Supplier<T> call) {
        try (ByteBudget.Permit permit = budget.account(owner).open()) {
            long begun = System.nanoTime();
            while (permit.grow(UNITS) != ByteBudget.Verdict.GRANTED) {
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw busy();
                }
                Thread.sleep(NEXT_TRY);
            }
            return call.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.FAILED, "interrupted", e);
        }
    }
}
