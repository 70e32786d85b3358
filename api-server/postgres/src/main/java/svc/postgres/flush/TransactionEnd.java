package svc.postgres.flush;

import java.util.function.Predicate;

/** How a flush's transaction ends when no statement failed. */
public sealed interface TransactionEnd {
    /** Always committed, in the same network write. */
    record Commit() implements TransactionEnd {}

    /** Always rolled back, in the same network write: {@code Prefer: tx=rollback}. */
    record Rollback() implements TransactionEnd {}

    /**
     * Committed if the caller accepts the row, otherwise rolled back. Costs a second network write, because the row is
     * checked in this process.
     */
    record CommitIf(Predicate<FlushRow> acceptable) implements TransactionEnd {}
}
