package svc.management.log;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import svc.database.sql.SqlFragment;
import svc.postgres.jdbc.PlatformDatabase;

/** Writes lines into the platform's database, and deletes what exceeds a project's share. */
@ApplicationScoped
public class LogStore {
    /** One writer at a time, so that the numbers of lines increase with their commits and a reader misses none. */
    private static final SqlFragment LOCK = SqlFragment.of(
            "SELECT one, pg_catalog.set_config('synchronous_commit', 'off', true) AS off FROM svc_platform.project_log_writer"
                    + " FOR UPDATE");

    /**
     * The clock of a function's machine is not ours: a line is of the last hour, or of now. Method and path, cut where a line is
     * made, are bounded here too, because they are in an index.
     */
    private static final SqlFragment INSERT = SqlFragment.of("""
            WITH incoming AS MATERIALIZED (
                SELECT x.*, least(greatest(pg_catalog.to_timestamp(x.t / 1000000.0), n.now - interval '1 hour'),
                                  n.now + interval '1 minute') AS at
                FROM (SELECT ?::timestamptz AS now) AS n,
                     pg_catalog.jsonb_to_recordset(?::jsonb) AS x(p uuid, s smallint, v smallint, t bigint, r text, m text,
                         q text, h text, c smallint, d bigint, b bigint, u text, a jsonb)
                ORDER BY x.t),
            kept AS (
                INSERT INTO svc_platform.project_log (project_id, at, source, severity, status, duration_us, bytes, method,
                    path, user_agent, request_id, message, attributes)
                SELECT p, at, s, v, c, d, b, left(q, 20), left(h, 512), u, r, m, a FROM incoming)
            INSERT INTO svc_platform.project_log_volume AS v (project_id, minute, lines, bytes)
            SELECT p, pg_catalog.date_trunc('minute', at), count(*),
                   sum(120 + coalesce(octet_length(m), 0) + coalesce(octet_length(h), 0) + coalesce(octet_length(u), 0)
                       + coalesce(octet_length(a::text), 0))
            FROM incoming GROUP BY 1, 2 ORDER BY 1, 2
            ON CONFLICT (project_id, minute) DO UPDATE
                SET lines = v.lines + excluded.lines, bytes = v.bytes + excluded.bytes
            RETURNING v.project_id""");

    /** A project keeps its newest minute in any case; how much comes in a minute is bounded where lines are taken. */
    private static final SqlFragment TRIM = SqlFragment.of("""
            WITH sums AS (
                SELECT project_id, minute, sum(lines) OVER newest AS lines, sum(bytes) OVER newest AS bytes,
                       row_number() OVER newest AS place
                FROM svc_platform.project_log_volume WHERE project_id = ANY (?::uuid[])
                WINDOW newest AS (PARTITION BY project_id ORDER BY minute DESC ROWS UNBOUNDED PRECEDING)),
            cut AS (
                SELECT project_id, max(minute) AS minute FROM sums WHERE place > 1 AND (lines > ? OR bytes > ?)
                GROUP BY project_id),
            gone AS (
                DELETE FROM svc_platform.project_log_volume AS v USING cut
                WHERE v.project_id = cut.project_id AND v.minute <= cut.minute)
            DELETE FROM svc_platform.project_log AS l USING cut
            WHERE l.project_id = cut.project_id AND l.at < cut.minute + interval '1 minute'""");

    private final PlatformDatabase database;
    private final Clock clock;

    LogStore(PlatformDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** For tests. */
    public static LogStore of(PlatformDatabase database, Clock clock) {
        return new LogStore(database, clock);
    }

    /**
     * Adds a batch of lines.
     *
     * @param batch a JSON array, as {@code svc.platform.projectlog} writes it
     * @return the projects whose lines they are
     */
    public List<UUID> add(String batch) {
        return database.transaction(statements -> {
            statements.query(LOCK, row -> row.flag("one"));
            return statements.query(INSERT, row -> row.uuid("project_id"), clock.instant(), batch).stream()
                    .distinct()
                    .toList();
        });
    }

    /**
     * Deletes the oldest minutes of projects that have more than their share.
     *
     * @return how many lines are deleted
     */
    public int trim(Collection<UUID> projects, long maxLines, long maxBytes) {
        return database.update(TRIM, projects.stream().map(UUID::toString).toList(), maxLines, maxBytes);
    }
}
