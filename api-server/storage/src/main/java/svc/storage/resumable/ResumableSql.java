package svc.storage.resumable;

import svc.database.sql.SqlTemplate;

/** The statements of {@link ResumableRows}, each with one result, JSON or null. */
final class ResumableSql {
    static final int EXPIRED_AT_ONCE = 100;

    private static final String ROW = """
            jsonb_build_object('id', u.id, 'caller', u.caller, 'bucket', u.bucket_id, 'name', u.name,
                'owner', u.owner_id, 'upsert', u.upsert, 'metadata', u.metadata, 'user_metadata', u.user_metadata,
                'upload_metadata', u.upload_metadata, 'partial', u.partial, 'concat', u.concat,
                'into', u.concatenated_into, 'length', u.upload_length, 'offset', u.upload_offset,
                'version', u.version, 'multipart', u.s3_upload_id, 'parts', u.parts, 'tails', u.tails,
                'state', u.state, 'begun', u.begun,
                'expires', to_char(u.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
            """;

    static final SqlTemplate CREATE = SqlTemplate.of("""
            WITH counted AS (
                SELECT count(*) AS total, count(*) FILTER (WHERE p.caller = ?) AS own
                FROM :"storage".resumable_uploads p WHERE p.state <> 'complete'
            ), made AS (
                INSERT INTO :"storage".resumable_uploads AS u
                    (id, caller, bucket_id, name, owner_id, upsert, metadata, user_metadata, upload_metadata, partial,
                    concat, upload_length, upload_offset, version, s3_upload_id, parts, tails, state, begun, writer,
                    created_at, expires_at)
                SELECT ?::uuid, ?, ?, ?, ?, ?::boolean, ?::jsonb, nullif(?, '')::jsonb, ?, ?::boolean,
                    ?, nullif(?, '')::bigint, 0, ?, '', 0, '[]', 'open', false, ?::uuid,
                    ?::timestamptz, ?::timestamptz
                FROM counted c WHERE c.total < ?::bigint AND c.own < ?::bigint
                RETURNING\s""" + ROW + """
                AS item)
            SELECT jsonb_build_object('upload', (SELECT m.item FROM made m), 'expired', EXISTS (
                SELECT 1 FROM :"storage".resumable_uploads p WHERE p.expires_at < ?::timestamptz))::text""");

    static final SqlTemplate FIND = SqlTemplate.of("SELECT (SELECT " + ROW + """
            ::text FROM :"storage".resumable_uploads u WHERE u.id = ?::uuid AND u.caller = ?)""");

    static final SqlTemplate FIND_SIGNED = SqlTemplate.of("SELECT (SELECT " + ROW + """
            ::text FROM :"storage".resumable_uploads u WHERE u.id = ?::uuid AND starts_with(u.caller, ?))""");

    static final SqlTemplate FIND_ALL = SqlTemplate.of("SELECT coalesce(jsonb_agg(" + ROW + """
            ), '[]')::text FROM :"storage".resumable_uploads u
            WHERE u.id IN (SELECT jsonb_array_elements_text(?::jsonb)::uuid) AND u.caller = ?""");

    static final SqlTemplate CLAIM = SqlTemplate.of("""
            WITH mine AS (
                UPDATE :"storage".resumable_uploads u SET writer = ?::uuid WHERE u.id = ?::uuid AND u.caller = ?
                RETURNING\s""" + ROW + """
                AS item)
            SELECT (SELECT m.item::text FROM mine m)""");

    static final SqlTemplate BEGIN = SqlTemplate.of("""
            WITH mine AS (
                UPDATE :"storage".resumable_uploads u SET writer = ?::uuid,
                    begun = u.begun OR u.state = 'open' AND u.expires_at > ?::timestamptz,
                    expires_at = CASE WHEN u.state = 'open' AND NOT u.begun AND u.expires_at > ?::timestamptz
                        THEN u.created_at + make_interval(secs => ?::double precision) ELSE u.expires_at END
                WHERE u.id = ?::uuid AND u.caller = ?
                RETURNING\s""" + ROW + """
                AS item)
            SELECT (SELECT m.item::text FROM mine m)""");

    static final SqlTemplate ADVANCE = SqlTemplate.of("""
            WITH moved AS (
                UPDATE :"storage".resumable_uploads u SET upload_offset = ?::bigint,
                    upload_length = nullif(?, '')::bigint, s3_upload_id = ?, parts = ?::integer, tails = ?::jsonb,
                    state = ?
                WHERE u.id = ?::uuid AND u.writer = ?::uuid AND u.state IN ('open', 'completing')
                RETURNING\s""" + ROW + """
                AS item)
            SELECT (SELECT m.item::text FROM moved m)""");

    static final SqlTemplate STORE = SqlTemplate.of("""
            WITH done AS (
                UPDATE :"storage".resumable_uploads u SET state = 'stored', upload_offset = ?::bigint,
                    upload_length = ?::bigint, version = ?, tails = '[]'
                WHERE u.id = ?::uuid AND u.writer = ?::uuid AND u.state IN ('open', 'completing')
                RETURNING\s""" + ROW + """
                AS item)
            SELECT (SELECT d.item::text FROM done d)""");

    private static final String FINISHED = """
            WITH done AS (
                UPDATE :"storage".resumable_uploads u SET state = 'complete', upload_offset = ?::bigint,
                    upload_length = ?::bigint, tails = '[]', expires_at = ?::timestamptz
                WHERE u.id = ?::uuid AND u.writer = ?::uuid AND u.state IN ('open', 'completing')
                RETURNING u.*
            ), used AS (
                UPDATE :"storage".resumable_uploads p
                SET state = 'complete', concatenated_into = d.id, expires_at = ?::timestamptz
                FROM done d
                WHERE p.id IN (SELECT jsonb_array_elements_text(?::jsonb)::uuid) AND p.state = 'stored'
                RETURNING p.version
            ), before AS MATERIALIZED (
                SELECT o.version FROM :"storage".objects o, done d
                WHERE o.bucket_id = d.bucket_id AND o.name = d.name AND d.upsert FOR UPDATE OF o
            ), made AS (
                INSERT INTO :"storage".objects AS o
                    (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
                SELECT d.bucket_id, d.name, nullif(?, '')::uuid, nullif(d.owner_id, ''), ?, ?::jsonb, d.user_metadata
                FROM done d, (SELECT count(*) FROM before) locked
            """;

    private static final String FINISHED_END = """
                RETURNING o.id)
            SELECT (SELECT jsonb_build_object('upload',\s""" + ROW + """
                , 'written', EXISTS (SELECT 1 FROM made), 'replaced',
                (SELECT coalesce(jsonb_agg(v.version), '[]') FROM (
                    SELECT b.version FROM before b WHERE EXISTS (SELECT 1 FROM made)
                    UNION ALL SELECT s.version FROM used s) v))::text FROM done u)""";

    static final SqlTemplate FINISH = SqlTemplate.of(FINISHED + FINISHED_END);

    static final SqlTemplate FINISH_REPLACING = SqlTemplate.of(FINISHED + """
                ON CONFLICT (bucket_id, name) DO UPDATE SET owner = excluded.owner, owner_id = excluded.owner_id,
                    version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
                    updated_at = now()
            """ + FINISHED_END);

    static final SqlTemplate END = SqlTemplate.of("""
            WITH ended AS (
                UPDATE :"storage".resumable_uploads u SET state = 'gone', writer = gen_random_uuid()
                WHERE u.id = ?::uuid AND u.state <> 'complete'
                RETURNING\s""" + ROW + """
                AS item)
            SELECT (SELECT e.item::text FROM ended e)""");

    /** Of those that are complete, or have got no byte, nothing is in S3 that is theirs: the row alone is deleted. */
    static final SqlTemplate EXPIRE = SqlTemplate.of("""
            WITH old AS MATERIALIZED (
                SELECT p.id, p.begun AND p.state <> 'complete' AS stored FROM :"storage".resumable_uploads p
                WHERE p.expires_at < ?::timestamptz OR p.state = 'gone'
                ORDER BY p.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
            ), ended AS (
                UPDATE :"storage".resumable_uploads u SET state = 'gone', writer = gen_random_uuid()
                FROM old WHERE u.id = old.id AND old.stored
                RETURNING\s""" + ROW + """
                AS item
            ), forgotten AS (
                DELETE FROM :"storage".resumable_uploads u USING old WHERE u.id = old.id AND NOT old.stored)
            SELECT jsonb_build_object('ended', (SELECT coalesce(jsonb_agg(e.item), '[]') FROM ended e),
                'count', (SELECT count(*) FROM old))::text""");

    static final SqlTemplate REMOVE = SqlTemplate.of("""
            WITH removed AS (
                DELETE FROM :"storage".resumable_uploads u WHERE u.id = ?::uuid AND u.state = 'gone')
            SELECT '{}'""");

    static final SqlTemplate KNOWN = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(k.version), '[]')::text FROM (
                SELECT u.version FROM :"storage".resumable_uploads u WHERE u.state NOT IN ('complete', 'gone')
                UNION SELECT t.tail ->> 'version'
                FROM :"storage".resumable_uploads u, jsonb_array_elements(u.tails) t(tail)
                WHERE u.state NOT IN ('complete', 'gone')) k
            WHERE k.version IN (SELECT jsonb_array_elements_text(?::jsonb))""");

    static final SqlTemplate TOTAL_SIZE = SqlTemplate.of("""
            SELECT to_jsonb(coalesce(sum(u.upload_offset), 0))::text
            FROM :"storage".resumable_uploads u WHERE u.state <> 'complete'""");

    private ResumableSql() {}
}
