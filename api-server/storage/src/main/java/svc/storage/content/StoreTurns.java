package svc.storage.content;

import java.time.Duration;
import java.util.function.Supplier;
import svc.platform.memory.ByteBudget;
import svc.storage.content.StoreException.Kind;

/**
 * Connections to the store, shared by projects as memory is: one alone may use half of them, and a few are always left for
 * those that use none. A call lasts as long as the store takes, never as long as a client does.
 */
final class StoreTurns {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration NEXT_TRY = Duration.ofMillis(5);

    /** Units of the budget that one connection is: the budget rounds shares, so that one unit would be too coarse. */
    private static final int UNITS = 1024;

    private final ByteBudget budget;

    /** @param connections at the same time */
    StoreTurns(int connections) {
        this.budget = new ByteBudget((long) connections * UNITS);
    }

    <T> T take(String owner, Supplier<T> call) {
        try (ByteBudget.Permit permit = budget.account(owner).open()) {
            long begun = System.nanoTime();
            while (permit.grow(UNITS) != ByteBudget.Verdict.GRANTED) {
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw new StoreException(Kind.BUSY, "the project's calls use its share of the store", null);
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
