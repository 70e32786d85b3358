package svc.postgres.script;

/**
 * Told of a script's transaction before the script is sent, so that somebody can say later what became of it, whoever
 * fell in between.
 */
@FunctionalInterface
public interface TransactionListener {
    /** Takes no number from the server: it is not asked for one. */
    TransactionListener NOBODY = transactionId -> {};

    /** Gives the transaction its number if it has none yet; a script can change neither. */
    String TRANSACTION_ID = "SELECT pg_catalog.pg_current_xact_id()";

    /**
     * Whoever throws stops the run; nothing of the script was sent then.
     *
     * @param transactionId as {@code pg_xact_status} takes it
     */
    void begun(String transactionId);
}
