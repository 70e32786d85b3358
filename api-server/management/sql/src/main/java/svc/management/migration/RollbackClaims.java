package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.management.audit.Actor;
import svc.management.audit.SqlCall;
import svc.postgres.jdbc.PlatformDatabase;

/**
 * The rows of {@code svc_platform.migration_rollback}: one for each migration that a transaction rolls back. They go when
 * the outcome of the transaction is known: with the migrations if it was committed, else alone.
 */
@ApplicationScoped
class RollbackClaims {
    private static final SqlFragment APPLIED = SqlFragment.of("SELECT id, version, name,"
            + " coalesce(octet_length(rollback), 0)::bigint AS bytes,"
            + " CASE WHEN sum(octet_length(rollback)) OVER () <= ? THEN coalesce(rollback, '') ELSE '' END AS rollback"
            + " FROM svc_platform.migration WHERE project_id = ? AND version >= ? AND state = 'applied'"
            + " ORDER BY version DESC LIMIT ?");
    private static final SqlFragment BEGIN =
            SqlFragment.of("SELECT svc_platform.begin_rollback(?, ?, ?, ?, ?, ?, ?, ?, ?) AS begun");
    private static final SqlFragment END = SqlFragment.of("SELECT svc_platform.end_rollback(?, ?, ?, ?) AS ended");
    private static final SqlFragment WITHDRAW =
            SqlFragment.of("DELETE FROM svc_platform.migration_rollback AS r USING svc_platform.migration AS m"
                    + " WHERE r.migration_id = m.id AND m.project_id = ? AND r.database_name = ?"
                    + " AND r.transaction_id = ?");

    private final PlatformDatabase database;

    RollbackClaims(PlatformDatabase database) {
        this.database = database;
    }

    /**
     * The applied versions from {@code from} on, newest first, with what undoes them.
     *
     * @param bytes most of the SQL of all of them: beyond it none is read
     */
    List<Rollback> applied(UUID project, String from, long bytes, int limit) {
        return database.query(
                APPLIED,
                row -> new Rollback(
                        row.uuid("id"),
                        row.text("version"),
                        row.optional("name", String.class),
                        row.number("bytes"),
                        row.text("rollback")),
                bytes,
                project,
                from,
                limit);
    }

    /** Claims versions for a transaction; false if they are not all that are in the history from {@code from} on. */
    boolean begin(SqlCall call, String from, List<Rollback> rollbacks, RollbackClaim claim, Instant when) {
        return database.queryOne(
                        BEGIN,
                        row -> row.flag("begun"),
                        call.projectId(),
                        from,
                        rollbacks.stream().map(one -> one.id().toString()).toList(),
                        claim.databaseName(),
                        claim.transactionId(),
                        call.actor().wire(),
                        call.actor() instanceof Actor.Token token ? token.id() : null,
                        call.requestId(),
                        when)
                .orElse(false);
    }

    /**
     * Takes the versions of a committed transaction out of the history; idempotent. Their rows are kept where no caller
     * reads them.
     */
    void end(UUID project, RollbackClaim claim, Instant when) {
        database.query(END, row -> row.number("ended"), project, claim.databaseName(), claim.transactionId(), when);
    }

    /** Leaves the versions of a transaction that was rolled back in the history; idempotent. */
    void withdraw(UUID project, RollbackClaim claim) {
        database.update(WITHDRAW, project, claim.databaseName(), claim.transactionId());
    }
}
