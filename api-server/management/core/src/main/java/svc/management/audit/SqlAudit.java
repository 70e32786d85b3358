package svc.management.audit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import svc.database.sql.SqlFragment;
import svc.management.audit.CallResult.Kind;
import svc.postgres.jdbc.PlatformDatabase;
import svc.sqlgate.ScriptSummary;

/**
 * Writes the audit, each row in a transaction of its own that no script can undo. It stores a script's hash,
 * fingerprint and statement kinds, never its text, which may contain secrets.
 */
@ApplicationScoped
public class SqlAudit {
    private static final Logger LOG = Logger.getLogger(SqlAudit.class);

    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.sql_call (id, project_id, ref, organisation_id, actor, token_id, key_version,"
                    + " request_id, address, text_hash, text_bytes, fingerprint, statement_kinds, started_at, result, code,"
                    + " duration_ms, run_as) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    /** Does not wait for the disk: the start of the call is durable already, and a crash leaves the result open. */
    private static final SqlFragment FINISH =
            SqlFragment.of("UPDATE svc_platform.sql_call SET result = ?, code = ?, rows_returned = ?, duration_ms = ?"
                    + " WHERE started_at = ? AND id = ?"
                    + " AND pg_catalog.set_config('synchronous_commit', 'off', true) IS NOT NULL");

    /** As FINISH; a counter need not be durable at once. */
    private static final SqlFragment ONE_MORE =
            SqlFragment.of("UPDATE svc_platform.sql_call SET calls = calls + 1 WHERE started_at = ? AND id = ?"
                    + " AND pg_catalog.set_config('synchronous_commit', 'off', true) IS NOT NULL");

    private static final Duration SHARED_FOR = Duration.ofMinutes(1);
    private static final int MAX_SHARED = 10_000;

    private final PlatformDatabase database;
    private final Clock clock;
    private final Cache<Alike, CompletableFuture<Open>> shared = Caffeine.newBuilder()
            .maximumSize(MAX_SHARED)
            .expireAfterWrite(SHARED_FOR)
            .build();

    SqlAudit(PlatformDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A call in progress. */
    public record Open(UUID id, Instant startedAt) {}

    /**
     * Records that a script is about to run.
     *
     * @param script the gate's summary
     * @throws RuntimeException if the row cannot be written; the script must not run then
     */
    public Open begin(SqlCall call, ScriptSummary script) {
        return insert(call, script, "running", null);
    }

    /** Records the result. The script has ended, so a failure is only logged. */
    public void finish(Open open, CallResult result) {
        try {
            database.update(
                    FINISH,
                    result.kind().wire(),
                    result.code().orElse(null),
                    result.rows().orElse(null),
                    (int) Duration.between(open.startedAt(), clock.instant()).toMillis(),
                    open.startedAt(),
                    open.id());
        } catch (RuntimeException e) {
            LOG.errorf(e, "failed to write the result of the audit row %s, which is %s", open.id(), result);
        }
    }

    /**
     * Records a call that ran nothing. A failure is only logged.
     *
     * @param script the gate's summary; empty for a denied or throttled call, which the gate does not parse
     */
    public void note(SqlCall call, ScriptSummary script, CallResult result) {
        try {
            insert(call, script, result.kind().wire(), result.code().orElse(null));
        } catch (RuntimeException e) {
            LOG.errorf(e, "failed to write the audit row of %s, whose result is %s", call, result);
        }
    }

    /**
     * Records a call that was rejected before its SQL was parsed. Such calls have no rate limit, so those of one caller
     * within a minute share the first one's row, which counts them. A failure is only logged.
     */
    public void rejected(SqlCall call, CallResult result) {
        shared(call, ScriptSummary.NONE, result);
    }

    /**
     * Records a call of a kind that has no rate limit: those of one caller within a minute that are alike share the first one's
     * row, which counts them. A failure is only logged.
     *
     * @param script with kinds out of a small set, because each has a row of its own
     */
    public void shared(SqlCall call, ScriptSummary script, CallResult result) {
        try {
            requireShared(call, script, result);
        } catch (RuntimeException e) {
            LOG.errorf(e, "failed to write the audit row of %s, whose result is %s", call, result);
        }
    }

    /**
     * The same before a call is answered.
     *
     * @throws RuntimeException if the row cannot be written; the call must not be answered then
     */
    public void requireShared(SqlCall call, ScriptSummary script, CallResult result) {
        var alike = new Alike(call.projectId(), call.actor(), result.kind(), result.code(), script.kinds());
        var first = new CompletableFuture<Open>();
        CompletableFuture<Open> there = shared.asMap().putIfAbsent(alike, first);
        if (there == null) {
            try {
                first.complete(
                        insert(call, script, result.kind().wire(), result.code().orElse(null)));
            } catch (RuntimeException | Error e) {
                // The others wait for it, also after an OutOfMemoryError.
                shared.asMap().remove(alike, first);
                first.completeExceptionally(e);
                throw e;
            }
        } else {
            Open open = inserted(there);
            database.update(ONE_MORE, open.startedAt(), open.id());
        }
    }

    /** @throws RuntimeException the failure of the call that inserts it */
    private static Open inserted(CompletableFuture<Open> row) {
        try {
            return row.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    /** The key of a shared row. */
    private record Alike(UUID projectId, Actor actor, Kind kind, Optional<String> code, List<String> kinds) {}

    private Open insert(SqlCall call, ScriptSummary script, String result, String code) {
        // Truncated to the precision of the column, so that finish finds the row.
        var open = new Open(UUID.randomUUID(), clock.instant().truncatedTo(ChronoUnit.MICROS));
        database.update(
                INSERT,
                open.id(),
                call.projectId(),
                call.ref(),
                call.organization(),
                call.actor().wire(),
                call.actor() instanceof Actor.Token token ? token.id() : null,
                call.actor() instanceof Actor.ServiceRole key ? Integer.valueOf(key.keyVersion()) : null,
                call.requestId(),
                call.address().orElse(null),
                call.textHash(),
                call.textBytes(),
                script.fingerprint().orElse(null),
                script.kinds(),
                open.startedAt(),
                result,
                code,
                "running".equals(result) ? null : Integer.valueOf(0),
                call.role().orElse(null));
        return open;
    }
}
