package svc.management.migration;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A row of the history.
 *
 * @param appliedAt empty while it runs, or while its outcome is unknown
 * @param databaseName the database of its transaction
 * @param transactionId as {@code pg_xact_status} takes it
 * @param rollback of an applied one, while its rollback runs or the outcome of that is unknown
 */
record Migration(
        UUID id,
        String version,
        Optional<String> name,
        Instant startedAt,
        Optional<Instant> appliedAt,
        String databaseName,
        String transactionId,
        Optional<String> key,
        byte[] requestHash,
        Optional<RollbackClaim> rollback) {
    boolean applied() {
        return appliedAt.isPresent();
    }

    Migration appliedAt(Instant time) {
        return new Migration(
                id,
                version,
                name,
                startedAt,
                Optional.of(time),
                databaseName,
                transactionId,
                key,
                requestHash,
                rollback);
    }

    /** The same when its rollback did not happen. */
    Migration kept() {
        return new Migration(
                id,
                version,
                name,
                startedAt,
                appliedAt,
                databaseName,
                transactionId,
                key,
                requestHash,
                Optional.empty());
    }
}
