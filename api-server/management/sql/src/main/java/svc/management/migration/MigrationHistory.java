package svc.management.migration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import svc.database.sql.SqlFragment;
import svc.management.audit.Actor;
import svc.management.audit.SqlCall;
import svc.postgres.Row;
import svc.postgres.Statements;
import svc.postgres.jdbc.PlatformDatabase;

/**
 * The rows of {@code svc_platform.migration}. A row is first a unique claim on its version and key; it becomes history
 * when its script is committed, and is immutable then.
 */
@ApplicationScoped
class MigrationHistory {
    private static final SqlFragment SELECT =
            SqlFragment.of("SELECT m.id, m.version, m.name, m.started_at, m.applied_at, m.database_name,"
                    + " m.transaction_id, m.idempotency_key, m.request_hash, r.database_name AS rollback_database,"
                    + " r.transaction_id AS rollback_transaction FROM svc_platform.migration AS m"
                    + " LEFT JOIN svc_platform.migration_rollback AS r ON r.migration_id = m.id"
                    + " WHERE m.project_id = ?");
    private static final SqlFragment CLAIM =
            SqlFragment.of("INSERT INTO svc_platform.migration (id, project_id, version, name, query, rollback,"
                    + " database_name, transaction_id, idempotency_key, request_hash, actor, token_id, request_id,"
                    + " started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
    private static final SqlFragment APPLIED = SqlFragment.of(
            "UPDATE svc_platform.migration SET state = 'applied', applied_at = ? WHERE id = ? AND state = 'running'");
    private static final SqlFragment UNDO =
            SqlFragment.of("DELETE FROM svc_platform.migration WHERE id = ? AND state = 'running'");
    private static final SqlFragment TEXT =
            SqlFragment.of("SELECT query FROM svc_platform.migration WHERE project_id = ? AND version = ?");

    private static final SqlFragment ROLLBACK = SqlFragment.of("SELECT coalesce(rollback, '') AS rollback"
            + " FROM svc_platform.migration WHERE project_id = ? AND version = ?");

    private static final SqlFragment RECORD = SqlFragment.of(
            "INSERT INTO svc_platform.migration (id, project_id, version, name, query, rollback, state, database_name,"
                    + " transaction_id, request_hash, actor, token_id, request_id, started_at, applied_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?, 'applied', '', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
    private static final SqlFragment REVERT =
            SqlFragment.of("SELECT svc_platform.revert_migration(?, ?, ?, ?, ?, ?) AS reverted");

    private static final SqlFragment DESCRIBE =
            SqlFragment.of("SELECT svc_platform.describe_migration(?, ?, ?, ?) AS described");

    /** Of a version that was recorded and not run. */
    static final String WITHOUT_TRANSACTION = "0";

    private final PlatformDatabase platform;
    private final Statements database;

    @Inject
    MigrationHistory(PlatformDatabase database) {
        this(database, database);
    }

    private MigrationHistory(PlatformDatabase platform, Statements database) {
        this.platform = platform;
        this.database = database;
    }

    /** Writes several rows in one transaction: all of them, or none if {@code work} throws. */
    <T> T together(Function<MigrationHistory, T> work) {
        return platform.transaction(statements -> work.apply(new MigrationHistory(platform, statements)));
    }

    /**
     * Claims a version and a key; false if one is taken.
     *
     * @param rollback what undoes the migration
     */
    boolean claim(Migration migration, Optional<String> rollback, SqlCall call) {
        return database.update(
                        CLAIM,
                        migration.id(),
                        call.projectId(),
                        migration.version(),
                        migration.name().orElse(null),
                        call.sql(),
                        rollback.orElse(null),
                        migration.databaseName(),
                        migration.transactionId(),
                        migration.key().orElse(null),
                        migration.requestHash(),
                        call.actor().wire(),
                        call.actor() instanceof Actor.Token token ? token.id() : null,
                        call.requestId(),
                        migration.startedAt())
                == 1;
    }

    /** Marks a claim as applied; idempotent. */
    void applied(UUID id, Instant when) {
        database.update(APPLIED, when, id);
    }

    /** Deletes the claim of a script that was rolled back: version and key are free again. */
    void undo(UUID id) {
        database.update(UNDO, id);
    }

    /** Inserts a version that was not run here; false if it is taken. */
    boolean record(Migration migration, Optional<String> rollback, SqlCall call) {
        return database.update(
                        RECORD,
                        migration.id(),
                        call.projectId(),
                        migration.version(),
                        migration.name().orElse(null),
                        call.sql(),
                        rollback.orElse(null),
                        migration.transactionId(),
                        migration.requestHash(),
                        call.actor().wire(),
                        call.actor() instanceof Actor.Token token ? token.id() : null,
                        call.requestId(),
                        migration.startedAt(),
                        migration.appliedAt().orElseThrow())
                == 1;
    }

    /** Takes a version out of the history; false if there is none. Its row is kept where no caller reads it. */
    boolean revert(SqlCall call, String version, Instant when) {
        return database.queryOne(
                        REVERT,
                        row -> row.flag("reverted"),
                        call.projectId(),
                        version,
                        call.actor().wire(),
                        call.actor() instanceof Actor.Token token ? token.id() : null,
                        call.requestId(),
                        when)
                .orElse(false);
    }

    /** Changes what describes an applied version; what is empty stays. False if there is none. */
    boolean describe(UUID project, String version, Optional<String> name, Optional<String> rollback) {
        return database.queryOne(
                        DESCRIBE,
                        row -> row.flag("described"),
                        project,
                        version,
                        name.orElse(null),
                        rollback.orElse(null))
                .orElse(false);
    }

    Optional<Migration> ofVersion(UUID project, String version) {
        return database.queryOne(SELECT.append(" AND m.version = ?"), MigrationHistory::read, project, version);
    }

    Optional<Migration> ofKey(UUID project, String key) {
        return database.queryOne(SELECT.append(" AND m.idempotency_key = ?"), MigrationHistory::read, project, key);
    }

    /** By version, after {@code after}. */
    List<Migration> page(UUID project, String after, int limit) {
        return database.query(
                SELECT.append(" AND m.version > ? ORDER BY m.version LIMIT ?"),
                MigrationHistory::read,
                project,
                after,
                limit);
    }

    /** What is not settled, by version: what is being applied or rolled back, or was when its instance crashed. */
    List<Migration> open(UUID project, int limit) {
        return database.query(
                SELECT.append(" AND (m.state = 'running' OR r.migration_id IS NOT NULL) ORDER BY m.version LIMIT ?"),
                MigrationHistory::read,
                project,
                limit);
    }

    /** The SQL as sent. */
    Optional<String> text(UUID project, String version) {
        return database.queryOne(TEXT, row -> row.text("query"), project, version);
    }

    /** What undoes a version, as sent; empty if nothing was. */
    Optional<String> rollback(UUID project, String version) {
        return database.queryOne(ROLLBACK, row -> row.text("rollback"), project, version)
                .filter(sql -> !sql.isEmpty());
    }

    private static Migration read(Row row) {
        return new Migration(
                row.uuid("id"),
                row.text("version"),
                row.optional("name", String.class),
                row.instant("started_at"),
                row.optional("applied_at", Instant.class),
                row.text("database_name"),
                row.text("transaction_id"),
                row.optional("idempotency_key", String.class),
                row.bytes("request_hash"),
                row.optional("rollback_transaction", String.class)
                        .map(transaction -> new RollbackClaim(row.text("rollback_database"), transaction)));
    }
}
