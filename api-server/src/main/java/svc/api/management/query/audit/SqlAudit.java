package svc.api.management.query.audit;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.api.db.PlatformDatabase;
import svc.api.management.query.gate.Note;
import svc.database.sql.SqlFragment;

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

    private final PlatformDatabase database;
    private final Clock clock;

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
    public Open begin(SqlCall call, Note script) {
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
    public void note(SqlCall call, Note script, CallResult result) {
        try {
            insert(call, script, result.kind().wire(), result.code().orElse(null));
        } catch (RuntimeException e) {
            LOG.errorf(e, "%s is not in the audit; it was %s", call, result);
        }
    }

    private Open insert(SqlCall call, Note script, String result, String code) {
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
