package svc.api.management.query.audit;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;
import svc.api.db.PlatformDatabase;
import svc.database.sql.SqlFragment;

/** Writes the audit, each time in a short transaction of its own that no script can undo. */
@ApplicationScoped
public class SqlAudit {
    private static final Logger LOG = Logger.getLogger(SqlAudit.class);

    private static final SqlFragment INSERT = SqlFragment.of(
            "INSERT INTO svc_platform.sql_call (id, project_id, ref, organisation_id, actor, token_id, request_id, address,"
                    + " text_hash, text_bytes, statement_kinds, started_at, result, code, duration_ms)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private static final SqlFragment FINISH =
            SqlFragment.of("UPDATE svc_platform.sql_call SET result = ?, code = ?, rows_returned = ?, duration_ms = ?"
                    + " WHERE id = ?");

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
     * @throws RuntimeException when it cannot be written; the script must not run then
     */
    public Open begin(SqlCall call, List<String> kinds) {
        Instant now = clock.instant();
        return new Open(insert(call, kinds, now, "running", null), now);
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
                    open.id());
        } catch (RuntimeException e) {
            LOG.errorf(e, "the audit row %s stays without its end, which was %s", open.id(), result);
        }
    }

    /** Notes a call that ran nothing. It is over as well: a failure is only logged. */
    public void note(SqlCall call, CallResult result) {
        try {
            insert(
                    call,
                    List.of(),
                    clock.instant(),
                    result.kind().wire(),
                    result.code().orElse(null));
        } catch (RuntimeException e) {
            LOG.errorf(e, "%s is not in the audit; it was %s", call, result);
        }
    }

    private UUID insert(SqlCall call, List<String> kinds, Instant now, String result, String code) {
        UUID id = UUID.randomUUID();
        database.update(
                INSERT,
                id,
                call.projectId(),
                call.ref(),
                call.organization(),
                call.actor(),
                call.tokenId().orElse(null),
                call.requestId(),
                call.address().orElse(null),
                call.textHash(),
                call.textBytes(),
                kinds,
                now,
                result,
                code,
                "running".equals(result) ? null : Integer.valueOf(0));
        return id;
    }
}
