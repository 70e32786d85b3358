package svc.postgres.script;

/**
 * Learns of a script's transaction before the script is sent, so that its status can be asked for later even if this
 * process ends in between.
 */
@FunctionalInterface
public interface TransactionListener {
    /** Without interest in the transaction's number: the server is not asked for one. */
    TransactionListener NONE = transactionId -> {};

    /**
     * Called before anything of the script is sent; an exception stops the run.
     *
     * @param transactionId as {@code pg_xact_status} takes it
     */
    void begun(String transactionId);
}
