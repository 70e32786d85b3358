package svc.management.migration;

/**
 * The transaction that rolls an applied migration back, alone or with others.
 *
 * @param databaseName the database of the transaction
 * @param transactionId as {@code pg_xact_status} takes it
 */
record RollbackClaim(String databaseName, String transactionId) {}
