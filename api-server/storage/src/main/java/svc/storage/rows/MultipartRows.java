package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.storage.content.ContentKey;
import svc.storage.http.StorageCall;

/**
 * The rows of uploads in parts that are not complete. No caller's role reads or writes them: whether a caller may upload is
 * asked of {@code storage.objects}, which the upload will change.
 */
// Hazard: the driver takes no null for a bind; statements say nullif(?, '') instead.
public final class MultipartRows {
    private static final SqlTemplate CREATE = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"storage".s3_multipart_uploads
                    (id, bucket_id, key, version, owner_id, metadata, user_metadata)
                SELECT ?, ?, ?, ?, nullif(?, ''), ?::jsonb, nullif(?, '')::jsonb
                WHERE (SELECT count(*) FROM :"storage".s3_multipart_uploads) < ?::bigint
                    AND (SELECT count(*) FROM :"storage".s3_multipart_uploads p WHERE coalesce(p.owner_id, '') = ?)
                        < ?::bigint
                RETURNING 1)
            SELECT (SELECT '{}' FROM made)""");

    private static final SqlTemplate FIND = SqlTemplate.of("""
            SELECT (SELECT jsonb_build_object('id', u.id, 'bucket', u.bucket_id, 'key', u.key, 'version', u.version,
                'owner', coalesce(u.owner_id, ''), 'size', u.in_progress_size, 'metadata', u.metadata,
                'user_metadata', u.user_metadata, 'replaced', coalesce((
                    SELECT p.size FROM :"storage".s3_multipart_uploads_parts p
                    WHERE p.upload_id = u.id AND p.part_number = ?::integer), 0))::text
            FROM :"storage".s3_multipart_uploads u WHERE u.id = ? AND u.bucket_id = ? AND u.key = ?)""");

    /** The row of the upload is locked by its change, so that an upload that ends meanwhile gets no part. */
    private static final SqlTemplate ADD = SqlTemplate.of("""
            WITH given AS MATERIALIZED (
                SELECT ?::text AS id, ?::integer AS number, ?::bigint AS size, ?::text AS etag
            ), counted AS (
                UPDATE :"storage".s3_multipart_uploads u SET in_progress_size = g.size + (
                    SELECT coalesce(sum(p.size), 0) FROM :"storage".s3_multipart_uploads_parts p
                    WHERE p.upload_id = g.id AND p.part_number <> g.number)
                FROM given g WHERE u.id = g.id
                RETURNING u.id, u.bucket_id, u.key, u.owner_id, u.version, g.number, g.size, g.etag
            ), part AS (
                INSERT INTO :"storage".s3_multipart_uploads_parts
                    (upload_id, part_number, size, etag, bucket_id, key, owner_id, version)
                SELECT c.id, c.number, c.size, c.etag, c.bucket_id, c.key, c.owner_id, c.version FROM counted c
                ON CONFLICT (upload_id, part_number) DO UPDATE
                    SET size = excluded.size, etag = excluded.etag, created_at = now()
                RETURNING 1)
            SELECT (SELECT '{}' FROM part)""");

    private static final SqlTemplate PARTS = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(row.item), '[]')::text FROM (
                SELECT jsonb_build_object('number', p.part_number, 'size', p.size, 'etag', p.etag, 'modified',
                    to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item
                FROM :"storage".s3_multipart_uploads_parts p WHERE p.upload_id = ? AND p.part_number > ?::integer
                ORDER BY p.part_number LIMIT ?::bigint) row""");

    private static final SqlTemplate REMOVE = SqlTemplate.of("""
            WITH parts AS (DELETE FROM :"storage".s3_multipart_uploads_parts p WHERE p.upload_id = ?),
                gone AS (DELETE FROM :"storage".s3_multipart_uploads u WHERE u.id = ? RETURNING 1)
            SELECT (SELECT '{}' FROM gone)""");

    private static final SqlTemplate LIST = SqlTemplate.of("""
            WITH given AS MATERIALIZED (
                SELECT ?::text AS bucket, ?::text AS prefix, ?::text AS key, ?::text AS id, ?::boolean AS every, ?::text AS owner)
            SELECT coalesce(jsonb_agg(row.item), '[]')::text FROM (
                SELECT jsonb_build_object('id', u.id, 'key', u.key, 'owner', coalesce(u.owner_id, ''), 'created',
                    to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS item
                FROM :"storage".s3_multipart_uploads u CROSS JOIN given g
                WHERE u.bucket_id = g.bucket AND starts_with(u.key, g.prefix) AND (g.every OR u.owner_id = g.owner)
                    AND (u.key COLLATE "C" > g.key OR u.key = g.key AND g.id <> '' AND u.id COLLATE "C" > g.id)
                ORDER BY u.key COLLATE "C", u.id COLLATE "C" LIMIT ?::bigint) row""");

    /** Of one page of {@link #olderThan}. */
    public static final int MAX_OLD = 1_000;

    private static final SqlTemplate OLD = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(row.item), '[]')::text FROM (
                SELECT jsonb_build_object('id', u.id, 'version', u.version) AS item
                FROM :"storage".s3_multipart_uploads u
                WHERE u.created_at < now() - ?::bigint * interval '1 second' LIMIT 1000) row""");

    private final StorageTransactions transactions;

    public MultipartRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** An upload that is not complete. */
    public record Upload(JsonNode json) {
        public String id() {
            return json.path("id").asText();
        }

        /** The user who began it; empty for a key. */
        public String owner() {
            return json.path("owner").asText();
        }

        public String version() {
            return json.path("version").asText();
        }

        /** Of the parts that it has, in bytes. */
        public long size() {
            return json.path("size").asLong();
        }

        /** Of the part that the next one replaces, in bytes. */
        public long replaced() {
            return json.path("replaced").asLong();
        }

        public JsonNode metadata() {
            return json.path("metadata");
        }

        /** As JSON text; empty without any. */
        public String userMetadata() {
            return json.path("user_metadata").isObject()
                    ? json.path("user_metadata").toString()
                    : "";
        }

        public Optional<ContentKey> content(Tenant tenant) {
            return ObjectRow.keyOf(tenant, version());
        }
    }

    /** A part that is stored. */
    public record Part(int number, long size, String etag, String modified) {
        static Part of(JsonNode json) {
            return new Part(
                    json.path("number").asInt(),
                    json.path("size").asLong(),
                    json.path("etag").asText(),
                    json.path("modified").asText());
        }
    }

    /** What an upload will be. */
    public record Beginning(
            String id, String bucket, String key, String version, String owner, String metadata, String userMetadata) {}

    /**
     * How many uploads may be unfinished.
     *
     * @param own of one user, or of all access keys
     * @param all of the project
     */
    public record Bounds(long own, long all) {}

    /** False when there are so many uploads already. */
    public boolean create(StorageCall call, Beginning upload, Bounds bounds) {
        return transactions
                .asSystem(
                        call,
                        Access.WRITE,
                        CREATE,
                        upload.id(),
                        upload.bucket(),
                        upload.key(),
                        upload.version(),
                        upload.owner(),
                        upload.metadata(),
                        upload.userMetadata(),
                        Long.toString(bounds.all()),
                        upload.owner(),
                        Long.toString(bounds.own()))
                .isPresent();
    }

    /** @param number of the part that will be stored; 0 for none */
    public Optional<Upload> find(StorageCall call, String id, String bucket, String key, int number) {
        return transactions
                .asSystem(call, Access.READ, FIND, Integer.toString(number), id, bucket, key)
                .map(Upload::new);
    }

    /** Notes a part that is stored; false when there is no such upload any more. */
    public boolean add(StorageCall call, String id, int number, long size, String etag) {
        return transactions
                .asSystem(call, Access.WRITE, ADD, id, Integer.toString(number), Long.toString(size), etag)
                .isPresent();
    }

    /** Parts with greater numbers than {@code after}, in their order. */
    public List<Part> parts(StorageCall call, String id, int after, long limit) {
        List<Part> parts = new ArrayList<>();
        transactions
                .asSystem(call, Access.READ, PARTS, id, Integer.toString(after), Long.toString(limit))
                .orElseThrow()
                .forEach(part -> parts.add(Part.of(part)));
        return parts;
    }

    /** False when there is no such upload. */
    public boolean remove(StorageCall call, String id) {
        return transactions.asSystem(call, Access.WRITE, REMOVE, id, id).isPresent();
    }

    /** The same without a request. */
    public void remove(Tenant tenant, String id) {
        transactions.asSystem(tenant, Access.WRITE, REMOVE, id, id);
    }

    /**
     * Uploads behind a place, by key and id.
     *
     * @param owner whose; empty for all
     * @param afterId of the key {@code afterKey}; empty for all uploads of greater keys
     */
    public JsonNode list(
            StorageCall call, String prefix, String afterKey, String afterId, Optional<String> owner, long limit) {
        return transactions
                .asSystem(
                        call,
                        Access.READ,
                        LIST,
                        call.bucket(),
                        prefix,
                        afterKey,
                        afterId,
                        Boolean.toString(owner.isEmpty()),
                        owner.orElse(""),
                        Long.toString(limit))
                .orElseThrow();
    }

    /** Up to 1,000 uploads that began so long ago. */
    public List<Upload> olderThan(Tenant tenant, long seconds) {
        List<Upload> old = new ArrayList<>();
        transactions
                .asSystem(tenant, Access.READ, OLD, Long.toString(seconds))
                .orElseThrow()
                .forEach(upload -> old.add(new Upload(upload)));
        return old;
    }
}
