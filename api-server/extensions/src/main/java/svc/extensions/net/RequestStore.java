package svc.extensions.net;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import svc.database.sql.SqlFragment;
import svc.postgres.Row;
import svc.postgres.Statements;

/** The tables of requests and responses of one database. Passes over rows that a transaction of their project has locked. */
final class RequestStore {
    /** How long responses are kept, in PostgreSQL's notation; pg_net's default. */
    private static final String KEPT = "6 hours";

    /** Responses of a project that are kept, the newest; and their bytes. */
    static final int KEPT_RESPONSES = 2_000;

    static final int KEPT_BYTES = 16 << 20;

    /** Beyond the limit of a call: what writing its response takes at the longest. */
    private static final String MARGIN = "30 seconds";

    /** What a request waits for whose project has as many calls under way as it may. */
    private static final String WHILE_BUSY = "1 second";

    /** Rows of one statement. */
    private static final int BATCH = 5_000;

    /** By the key's index, from one project to the next: the number of requests of each does not matter. */
    private static final SqlFragment PROJECTS = SqlFragment.of("""
            WITH RECURSIVE found (schema_name) AS (
                (SELECT q.schema_name FROM svc_net.queued_request q WHERE q.schema_name > ?
                 ORDER BY q.schema_name LIMIT 1)
                UNION ALL
                SELECT (SELECT q.schema_name FROM svc_net.queued_request q WHERE q.schema_name > f.schema_name
                        ORDER BY q.schema_name LIMIT 1)
                FROM found f WHERE f.schema_name IS NOT NULL)
            SELECT f.schema_name FROM found f WHERE f.schema_name IS NOT NULL LIMIT ?::bigint""");

    /** A claim lasts for the whole call, and for writing its response. */
    private static final SqlFragment CLAIM = SqlFragment.of("""
            WITH picked AS (
                SELECT q.schema_name, q.id FROM unnest(?::text[], ?::text[]) AS p (schema_name, places)
                CROSS JOIN LATERAL (
                    SELECT r.schema_name, r.id FROM svc_net.queued_request r
                    WHERE r.schema_name = p.schema_name AND r.id <> ALL (?::text[]::bigint[])
                      AND (r.claimed_until IS NULL OR r.claimed_until < clock_timestamp())
                    ORDER BY r.id LIMIT p.places::bigint
                    FOR UPDATE SKIP LOCKED) q)
            UPDATE svc_net.queued_request u
            SET claimed_until = clock_timestamp() + u.timeout_milliseconds * interval '1 millisecond' + ?::interval,
                tried_at = coalesce(u.tried_at, clock_timestamp())
            FROM picked p WHERE u.schema_name = p.schema_name AND u.id = p.id
            RETURNING u.schema_name, u.id, u.method, u.url, u.headers::text AS headers, u.body, u.timeout_milliseconds,
                (extract(epoch FROM clock_timestamp()) - u.id / 1000000)::bigint AS waited,
                extract(epoch FROM clock_timestamp() - u.tried_at)::bigint AS tried""");

    private static final SqlFragment POSTPONE = SqlFragment.of("""
            UPDATE svc_net.queued_request q SET claimed_until = clock_timestamp() + ?::interval
            WHERE q.schema_name = ? AND q.id = ?::bigint""");
    private static final SqlFragment FINISH = SqlFragment.of("""
            WITH sent AS (
                DELETE FROM svc_net.queued_request q WHERE q.schema_name = ? AND q.id = ?::bigint
                RETURNING q.schema_name, q.id)
            INSERT INTO svc_net.stored_response
                (schema_name, id, status_code, content_type, headers, content, timed_out, error_msg, bytes)
            SELECT s.schema_name, s.id, ?::integer, ?, ?::jsonb, ?, ?::boolean, ?, ?::integer FROM sent s
            ON CONFLICT DO NOTHING""");
    private static final SqlFragment TRIM = SqlFragment.of("""
            DELETE FROM svc_net.stored_response d USING (
                SELECT r.schema_name, r.id FROM svc_net.stored_response r
                JOIN (SELECT k.id, row_number() OVER newest AS place, sum(k.bytes) OVER newest AS total
                      FROM svc_net.stored_response k WHERE k.schema_name = ?
                      WINDOW newest AS (ORDER BY k.id DESC)) c ON c.id = r.id
                WHERE r.schema_name = ? AND (c.place > ?::bigint OR c.total > ?::bigint)
                FOR UPDATE OF r SKIP LOCKED) old
            WHERE d.schema_name = old.schema_name AND d.id = old.id""");
    private static final SqlFragment EXPIRE = SqlFragment.of("""
            DELETE FROM svc_net.stored_response d USING (
                SELECT r.schema_name, r.id FROM svc_net.stored_response r
                WHERE r.created < clock_timestamp() - ?::interval
                ORDER BY r.created LIMIT ?::bigint
                FOR UPDATE SKIP LOCKED) old
            WHERE d.schema_name = old.schema_name AND d.id = old.id""");

    private final Statements database;

    RequestStore(Statements database) {
        this.database = database;
    }

    /** Schemas of projects with requests, in their order, behind one of them. */
    List<String> projects(String after, int most) {
        return database.query(PROJECTS, row -> row.text("schema_name"), after, (long) most);
    }

    /**
     * Takes the oldest requests of projects that no process has claimed: until the claim ends, no other one gets them.
     *
     * @param places how many of each
     * @param without numbers of requests that are under way here, whatever their claims
     */
    List<QueuedRequest> claim(Map<String, Integer> places, Collection<Long> without) {
        List<Map.Entry<String, Integer>> projects = List.copyOf(places.entrySet());
        return database.query(
                CLAIM,
                RequestStore::request,
                projects.stream().map(Map.Entry::getKey).toList(),
                projects.stream().map(project -> project.getValue().toString()).toList(),
                without.stream().map(String::valueOf).toList(),
                MARGIN);
    }

    private static QueuedRequest request(Row row) {
        return new QueuedRequest(
                row.text("schema_name"),
                row.number("id"),
                row.text("method"),
                row.text("url"),
                row.text("headers"),
                row.optional("body", String.class),
                Duration.ofMillis(row.number("timeout_milliseconds")),
                Duration.ofSeconds(row.number("waited")),
                Duration.ofSeconds(row.number("tried")));
    }

    /** Gives a claim up: any process may take the request a moment later. */
    void postpone(QueuedRequest.Key request) {
        database.update(POSTPONE, WHILE_BUSY, request.schema(), request.id());
    }

    /** Removes a request and writes its response, together; nothing for a request that is gone. */
    void finish(QueuedRequest.Key request, StoredResponse response) {
        database.update(
                FINISH,
                request.schema(),
                request.id(),
                response.status().orElse(null),
                response.contentType().orElse(null),
                response.headers().orElse(null),
                response.content().orElse(null),
                response.timedOut(),
                response.error().orElse(null),
                response.bytes());
    }

    /** Deletes the oldest responses of a project beyond its limits. */
    void trim(String schema) {
        database.update(TRIM, schema, schema, (long) KEPT_RESPONSES, (long) KEPT_BYTES);
    }

    /** Deletes responses whose time is over. */
    void expire() {
        int deleted;
        do {
            deleted = database.update(EXPIRE, KEPT, (long) BATCH);
        } while (deleted == BATCH);
    }
}
