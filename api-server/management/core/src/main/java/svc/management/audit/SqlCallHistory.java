package svc.management.audit;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.jdbc.PlatformDatabase;

/** Reads the audit. Every query is restricted to an organisation. */
@ApplicationScoped
public class SqlCallHistory {
    private static final SqlFragment PAGE = SqlFragment.of(
            "SELECT id, project_id, ref, actor, token_id, key_version, request_id, address, fingerprint, text_hash,"
                    + " text_bytes, statement_kinds, started_at, result, code, rows_returned, duration_ms, calls, run_as"
                    + " FROM svc_platform.sql_call WHERE organisation_id = ?");
    private static final SqlFragment OF_PROJECT = SqlFragment.of(" AND ref = ?");
    private static final SqlFragment BEHIND = SqlFragment.of(" AND (started_at, id) < (?, ?)");
    private static final SqlFragment OF_RESULT = SqlFragment.of(" AND result = ?");
    private static final SqlFragment OF_ACTOR = SqlFragment.of(" AND actor = ?");
    private static final SqlFragment OF_TOKEN = SqlFragment.of(" AND token_id = ?");
    private static final SqlFragment SINCE = SqlFragment.of(" AND started_at >= ?");
    private static final SqlFragment UNTIL = SqlFragment.of(" AND started_at < ?");
    private static final SqlFragment NEWEST = SqlFragment.of(" ORDER BY started_at DESC, id DESC LIMIT ?");
    private static final SqlFragment KNOWN = SqlFragment.of(
            "SELECT EXISTS (SELECT FROM svc_platform.sql_call WHERE organisation_id = ? AND ref = ?) AS known");

    private final PlatformDatabase database;

    SqlCallHistory(PlatformDatabase database) {
        this.database = database;
    }

    /**
     * One call as its organisation reads it.
     *
     * @param projectId omitted, as {@code ref} is, for a call that is about no project
     * @param tokenId omitted for the service-role key, as {@code keyVersion} is for a token
     * @param address of the client
     * @param fingerprint equal for scripts that differ in constants and white space only
     * @param textSha256 of the script's UTF-8, hexadecimal
     * @param statementKinds types of the script's statements; for another call, what it did, in words
     * @param code of the problem, or PostgreSQL's SQLSTATE
     * @param rows number of rows returned
     * @param count number of calls that the row stands for: denied, throttled and failed calls that are alike, and reads of the
     *     service-role key, share a row for a minute
     * @param runAs anon or authenticated; omitted for a script that ran as the owner
     */
    @Schema(name = "SqlCallEntry")
    public record Entry(
            UUID id,
            Instant startedAt,
            UUID projectId,
            String ref,
            String actor,
            UUID tokenId,
            Long keyVersion,
            String requestId,
            String address,
            String fingerprint,
            String textSha256,
            long textBytes,
            List<String> statementKinds,
            String result,
            String code,
            Long rows,
            Long durationMs,
            long count,
            String runAs) {}

    /**
     * The newest matching calls, one more than the limit if there are more.
     *
     * @param ref of a project; empty for all calls of the organisation
     */
    List<Entry> page(String organization, Optional<String> ref, AuditFilter filter) {
        List<Object> binds = new ArrayList<>(List.of(organization));
        SqlFragment sql = PAGE;
        if (ref.isPresent()) {
            sql = sql.append(OF_PROJECT);
            binds.add(ref.get());
        }
        if (filter.cursor().isPresent()) {
            sql = sql.append(BEHIND);
            binds.add(filter.cursor().get().startedAt());
            binds.add(filter.cursor().get().id());
        }
        if (filter.result().isPresent()) {
            sql = sql.append(OF_RESULT);
            binds.add(filter.result().get());
        }
        if (filter.actor().isPresent()) {
            sql = sql.append(OF_ACTOR);
            binds.add(filter.actor().get());
        }
        if (filter.token().isPresent()) {
            sql = sql.append(OF_TOKEN);
            binds.add(filter.token().get());
        }
        if (filter.since().isPresent()) {
            sql = sql.append(SINCE);
            binds.add(filter.since().get());
        }
        if (filter.until().isPresent()) {
            sql = sql.append(UNTIL);
            binds.add(filter.until().get());
        }
        binds.add(filter.limit() + 1);
        return database.query(sql.append(NEWEST), SqlCallHistory::read, binds.toArray());
    }

    /** Whether the audit has any call of this project, also after its deletion. */
    boolean knows(String organization, String ref) {
        return database.queryOne(KNOWN, row -> row.flag("known"), organization, ref)
                .orElseThrow();
    }

    private static Entry read(Row row) {
        return new Entry(
                row.uuid("id"),
                row.instant("started_at"),
                row.optional("project_id", UUID.class).orElse(null),
                row.optional("ref", String.class).orElse(null),
                row.text("actor"),
                row.optional("token_id", UUID.class).orElse(null),
                row.optional("key_version", Long.class).orElse(null),
                row.text("request_id"),
                row.optional("address", String.class).orElse(null),
                row.optional("fingerprint", String.class).orElse(null),
                HexFormat.of().formatHex(row.bytes("text_hash")),
                row.number("text_bytes"),
                row.texts("statement_kinds"),
                row.text("result"),
                row.optional("code", String.class).orElse(null),
                row.optional("rows_returned", Long.class).orElse(null),
                row.optional("duration_ms", Long.class).orElse(null),
                row.number("calls"),
                row.optional("run_as", String.class).orElse(null));
    }
}
