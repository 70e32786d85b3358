package svc.realtime.reader;

/** What one transaction may change of a project's published tables; what is beyond reaches no subscriber. */
public final class TransactionLimit {
    static final int MAX_ROWS = 50_000;

    /** As PostgreSQL sends them: values as texts, with the old row where the replica identity is {@code FULL}. */
    static final long MAX_BYTES = 64L << 20;

    /** For messages. */
    public static final String TEXT = MAX_ROWS + " rows of published tables, or " + (MAX_BYTES >> 20) + " MB of them";

    private TransactionLimit() {}
}
