package svc.management.query.audit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import svc.database.sql.SqlFragment;
import svc.management.query.audit.CallResult.Kind;
import svc.postgres.jdbc.PlatformDatabase;
import svc.sqlgate.ScriptSummary;

/**
 * Writes the audit, each time in a short transaction of its own that no script can undo. Of a script it keeps a hash, a
 * fingerprint and the kinds of its statements, never its text, which may hold secrets.
 */
@ApplicationScoped
public class SqlAudit {
    private static final Logger LOG = Logger.getLogger(SqlAudit.class);

    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.sql_call (id, project_id, ref, organisation_id, actor, token_id, key_version,"
                    + " request_id, address, text_hash, text_bytes, fingerprint, statement_kinds, started_at, result, code,"
                    + " duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    /** Does not wait for the disk: that the script ran is on it already, and a crash leaves its end open as it is. */
    private static final SqlFragment FINISH =
            SqlFragment.of("UPDATE svc_platform.sql_call SET result = ?, code = ?, rows_returned = ?, duration_ms = ?"
                    + " WHERE started_at = ? AND id = ?"
                    + " AND pg_catalog.set_config('synchronous_commit', 'off', true) IS NOT NULL");

    /** As FINISH does; how many they were is no reason to wait for the disk. */
    private static final SqlFragment ONE_MORE =
            SqlFragment.of("UPDATE svc_platform.sql_call SET calls = calls + 1 WHERE started_at = ? AND id = ?"
                    + " AND pg_catalog.set_config('synchronous_commit', 'off', true) IS NOT NULL");

    private static final Duration SHARED_FOR = Duration.ofMinutes(1);
    private static final int MOST_CALLERS = 10_000;

    private final PlatformDatabase database;
    private final Clock clock;
    private final Cache<Caller, Open> shared = Caffeine.newBuilder()
            .maximumSize(MOST_CALLERS)
            .expireAfterWrite(SHARED_FOR)
            .build();

    SqlAudit(PlatformDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A call that is under way. */
    public record Open(UUID id, Instant startedAt) {}

    /**
     * Notes that a script is about to run.
     *
     * @param script what the gate noted of it
     * @throws RuntimeException when it cannot be written; the script must not run then
     */
    public Open begin(SqlCall call, ScriptSummary script) {
        return insert(call, script, "running", null);
    }

    /** Notes how it ended. The script is over by then, so a failure is only logged. */
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
            LOG.errorf(e, "the audit row %s stays without its end, which was %s", open.id(), result);
        }
    }

    /**
     * Notes a call that ran nothing. It is over as well: a failure is only logged.
     *
     * @param script what the gate noted of it; a call that was denied or came too often has no claim on the gate's time
     */
    public void note(SqlCall call, ScriptSummary script, CallResult result) {
        try {
            insert(call, script, result.kind().wire(), result.code().orElse(null));
        } catch (RuntimeException e) {
            LOG.errorf(e, "%s is not in the audit; it was %s", call, result);
        }
    }

    /**
     * Notes a call that was turned away before its text was looked at. Nothing limits how often that happens, so those of
     * one caller in a minute share the row of the first of them, which counts them. A failure is only logged.
     */
    public void turnedAway(SqlCall call, CallResult result) {
        var caller = new Caller(call.projectId(), call.actor(), result.kind());
        try {
            var first = new AtomicBoolean();
            Open open = shared.get(caller, any -> {
                first.set(true);
                return insert(
                        call,
                        ScriptSummary.NONE,
                        result.kind().wire(),
                        result.code().orElse(null));
            });
            if (!first.get()) {
                database.update(ONE_MORE, open.startedAt(), open.id());
            }
        } catch (RuntimeException e) {
            LOG.errorf(e, "%s is not in the audit; it was %s", call, result);
        }
    }

    /** Whose calls share a row. */
    private record Caller(UUID projectId, Actor actor, Kind kind) {}

    private Open insert(SqlCall call, ScriptSummary script, String result, String code) {
        // As precise as the column, so that the end finds its row.
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
                "running".equals(result) ? null : Integer.valueOf(0));
        return open;
    }
}
