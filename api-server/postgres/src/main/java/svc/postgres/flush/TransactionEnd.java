package svc.postgres.flush;

import java.util.function.Predicate;

/** How a flush's transaction ends when no statement failed. */
public sealed interface TransactionEnd {
    /** Always committed, in the same network write. */
    record Commit() implements TransactionEnd {}

    /** Always rolled back, in the same network write: {@code Prefer: tx=rollback}. */
    record Rollback() implements TransactionEnd {}

    /**
     * Committed if the row is as the caller wants it, otherwise rolled back. Costs a second network write, because
     * somebody here has to look at the row.
     */
    record CommitIf(Predicate<FlushRow> acceptable) implements TransactionEnd {}
}
