package svc.sqlgate;

/** How an admitted script is to be run. */
public enum ExecutionMode {
    /** From BEGIN to COMMIT, all of it or nothing. */
    IN_TRANSACTION,

    /**
     * One statement that PostgreSQL refuses inside of a transaction, {@code CREATE INDEX CONCURRENTLY} and the like. The
     * script holds nothing else; it is sent by itself, and what a failure leaves behind is the server's to say.
     */
    OUTSIDE_TRANSACTION
}
