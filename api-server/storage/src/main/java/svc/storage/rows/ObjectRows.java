package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.storage.content.ContentKey;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** The rows of files. */
// Hazard: the driver takes no null for a bind; statements say nullif(?, '') instead.
public final class ObjectRows {
    private static final SqlFragment COLUMNS = SqlFragment.of("""
            jsonb_build_object('id', o.id, 'name', o.name, 'bucket_id', o.bucket_id, 'version', o.version,
                'owner', coalesce(o.owner::text, ''), 'owner_id', coalesce(o.owner_id, ''),
                'metadata', o.metadata, 'user_metadata', o.user_metadata,
                'created_at', to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'updated_at', to_char(o.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'last_accessed_at', to_char(o.last_accessed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))""");

    private static final SqlTemplate GET = SqlTemplate.of("""
            SELECT (SELECT :{columns}::text FROM :"storage".objects o WHERE o.bucket_id = ? AND o.name = ?)""");

    private static final SqlTemplate PUBLIC = SqlTemplate.of("""
            SELECT (SELECT jsonb_build_object('public', coalesce(b.public, false), 'object',
                    (SELECT :{columns} FROM :"storage".objects o WHERE o.bucket_id = b.id AND o.name = ?))::text
                FROM :"storage".buckets b WHERE b.id = ?)""");

    /** What an answer with the file says of it. */
    private static final SqlFragment HEAD = SqlFragment.of("""
            jsonb_build_object('id', o.id, 'version', o.version, 'metadata', o.metadata,
                'updated_at', to_char(o.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))""");

    /** A bucket with versions keeps what is replaced. */
    private static final SqlTemplate REPLACEABLE = SqlTemplate.of("""
            SELECT (SELECT (o.metadata -> 'size')::text FROM :"storage".objects o JOIN :"storage".buckets b ON b.id = o.bucket_id
                WHERE o.bucket_id = ? AND o.name = ? AND jsonb_typeof(o.metadata -> 'size') = 'number'
                    AND to_jsonb(b) ->> 'versioning_status' IS DISTINCT FROM 'ENABLED')""");

    private static final SqlTemplate NAMES = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(o.name), '[]')::text FROM :"storage".objects o
            WHERE o.bucket_id = ? AND o.name IN (SELECT jsonb_array_elements_text(?::jsonb))""");

    private static final SqlTemplate EXISTS = SqlTemplate.of("""
            SELECT (SELECT 'true' FROM :"storage".objects o WHERE o.bucket_id = ? AND o.name = ?)""");

    /** Of a trial: the version is the service's own, and no caller may write it. */
    private static final SqlTemplate INSERT = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"storage".objects (bucket_id, name, owner, owner_id, metadata, user_metadata)
                VALUES (?, ?, nullif(?, '')::uuid, nullif(?, ''), ?::jsonb, nullif(?, '')::jsonb))
            SELECT '{}'""");

    /** The same of the size of a file that is there. */
    private static final SqlTemplate UPSERT = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"storage".objects AS o (bucket_id, name, owner, owner_id, metadata, user_metadata)
                VALUES (?, ?, nullif(?, '')::uuid, nullif(?, ''), ?::jsonb, nullif(?, '')::jsonb)
                ON CONFLICT (bucket_id, name) DO UPDATE SET owner = excluded.owner, owner_id = excluded.owner_id,
                    metadata = (excluded.metadata - 'size') || CASE WHEN o.metadata -> 'size' IS NULL THEN '{}'
                        ELSE jsonb_build_object('size', o.metadata -> 'size') END,
                    user_metadata = excluded.user_metadata, updated_at = now())
            SELECT '{}'""");

    private static final SqlTemplate COMMIT = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"storage".objects AS o
                    (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
                VALUES (?, ?, nullif(?, '')::uuid, nullif(?, ''), ?, ?::jsonb, nullif(?, '')::jsonb)
                RETURNING :{columns} AS item)
            SELECT (SELECT jsonb_build_object('object', m.item)::text FROM made m)""");

    /** Locks the row first: of two uploads the later one learns of the version of the earlier. */
    private static final SqlTemplate REPLACE = SqlTemplate.of("""
            WITH before AS MATERIALIZED (
                SELECT p.version FROM :"storage".objects p WHERE p.bucket_id = ? AND p.name = ? FOR UPDATE
            ), made AS (
                INSERT INTO :"storage".objects AS o
                    (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
                SELECT ?, ?, nullif(?, '')::uuid, nullif(?, ''), ?, ?::jsonb, nullif(?, '')::jsonb
                FROM (SELECT count(*) FROM before) locked
                ON CONFLICT (bucket_id, name) DO UPDATE SET owner = excluded.owner, owner_id = excluded.owner_id,
                    version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
                    updated_at = now()
                RETURNING :{columns} AS item)
            SELECT (SELECT jsonb_build_object('object', m.item, 'replaced', (SELECT b.version FROM before b))::text
                FROM made m)""");

    private static final SqlTemplate DELETE = SqlTemplate.of("""
            WITH gone AS (
                DELETE FROM :"storage".objects o
                WHERE o.bucket_id = ? AND o.name IN (SELECT jsonb_array_elements_text(?::jsonb))
                RETURNING :{columns} AS item)
            SELECT coalesce(jsonb_agg(g.item), '[]')::text FROM gone g""");

    private static final SqlTemplate EMPTY = SqlTemplate.of("""
            WITH gone AS (
                DELETE FROM :"storage".objects o WHERE o.id IN (
                    SELECT p.id FROM :"storage".objects p WHERE p.bucket_id = ? LIMIT 1000)
                RETURNING o.version)
            SELECT coalesce(jsonb_agg(g.version), '[]')::text FROM gone g""");

    private static final SqlTemplate MOVE = SqlTemplate.of("""
            WITH moved AS (
                UPDATE :"storage".objects o SET bucket_id = ?, name = ?, updated_at = now()
                WHERE o.bucket_id = ? AND o.name = ?
                RETURNING :{columns} AS item)
            SELECT (SELECT m.item::text FROM moved m)""");

    private final StorageTransactions transactions;

    public ObjectRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** What is written of a file. */
    public record Entry(
            String bucket, String name, String owner, String version, String metadata, String userMetadata) {
        private String[] binds() {
            String uuid = StorageCall.uuid(owner).map(Object::toString).orElse("");
            return new String[] {bucket, name, uuid, owner, version, metadata, userMetadata};
        }

        private String[] bindsOfTrial() {
            String uuid = StorageCall.uuid(owner).map(Object::toString).orElse("");
            return new String[] {bucket, name, uuid, owner, metadata, userMetadata};
        }
    }

    /**
     * A file that is written.
     *
     * @param replaced the bytes that it had before
     */
    public record Written(ObjectRow row, Optional<ContentKey> replaced) {}

    /** The file, if the caller may read it. */
    public Optional<ObjectRow> find(StorageCall call, String bucket, String name) {
        return transactions
                .asCaller(call, Access.READ, bound(call, GET), bucket, name)
                .map(ObjectRow::new);
    }

    /** The file, without asking policies. */
    public Optional<ObjectRow> findForAll(StorageCall call, String bucket, String name) {
        return transactions
                .asSystem(call, Access.READ, bound(call, GET), bucket, name)
                .map(ObjectRow::new);
    }

    /** How many bytes are given back when the file is replaced. */
    public long replaceable(StorageCall call, String bucket, String name) {
        return transactions
                .asSystem(call, Access.READ, REPLACEABLE, bucket, name)
                .filter(JsonNode::canConvertToLong)
                .map(size -> Math.max(0, size.longValue()))
                .orElse(0L);
    }

    /** Begins to look for the file, if the caller may read it: what an answer with its bytes needs. */
    public CompletableFuture<Optional<ObjectRow>> startFind(StorageCall call, String bucket, String name) {
        return transactions
                .startAsCaller(call, head(call, GET), bucket, name)
                .thenApply(found -> found.map(ObjectRow::new));
    }

    /** The same, without asking policies. */
    public CompletableFuture<Optional<ObjectRow>> startFindForAll(StorageCall call, String bucket, String name) {
        return transactions
                .startAsSystem(call, head(call, GET), bucket, name)
                .thenApply(found -> found.map(ObjectRow::new));
    }

    /** Begins {@link #findPublic} of what an answer with the bytes needs. */
    public CompletableFuture<Optional<InPublic>> startFindPublic(StorageCall call, String bucket, String name) {
        return transactions
                .startAsSystem(call, head(call, PUBLIC), name, bucket)
                .thenApply(ObjectRows::inPublic);
    }

    private static SqlFragment head(StorageCall call, SqlTemplate template) {
        return StorageTransactions.bound(call, template, Map.of("columns", HEAD));
    }

    private static Optional<InPublic> inPublic(Optional<JsonNode> bucket) {
        return bucket.filter(found -> found.path("public").asBoolean())
                .map(found -> new InPublic(Optional.of(found.path("object"))
                        .filter(JsonNode::isObject)
                        .map(ObjectRow::new)));
    }

    /** What a public bucket has under a name; without a row when it has nothing. */
    public record InPublic(Optional<ObjectRow> row) {}

    /** Empty for a bucket that is not public, or not there. */
    public Optional<InPublic> findPublic(StorageCall call, String bucket, String name) {
        return inPublic(transactions.asSystem(call, Access.READ, bound(call, PUBLIC), name, bucket));
    }

    /** Whether the caller may read the file. */
    public boolean isReadable(StorageCall call, String bucket, String name) {
        return transactions.asCaller(call, Access.READ, EXISTS, bucket, name).isPresent();
    }

    /** Those of the names that the caller may read. */
    public List<String> readable(StorageCall call, String bucket, List<String> names) {
        List<String> found = new ArrayList<>();
        transactions
                .asCaller(call, Access.READ, NAMES, bucket, array(names))
                .orElseThrow()
                .forEach(name -> found.add(name.asText()));
        return found;
    }

    /** Whether the caller may write the file. Fails as PostgreSQL refuses it. */
    public void tryWrite(StorageCall call, Entry entry, boolean upsert) {
        transactions.tryAsCaller(call, upsert ? UPSERT : INSERT, entry.bindsOfTrial());
    }

    /** Makes the bytes visible that are stored already. */
    public Written write(StorageCall call, Entry entry, boolean upsert) {
        JsonNode made = (upsert
                        ? transactions.asSystem(call, Access.WRITE, bound(call, REPLACE), withKey(entry))
                        : transactions.asSystem(call, Access.WRITE, bound(call, COMMIT), entry.binds()))
                .orElseThrow(() -> StorageError.database("A trigger keeps the file from being stored"));
        return new Written(
                new ObjectRow(made.path("object")),
                ObjectRow.keyOf(call.tenant(), made.path("replaced").asText("")));
    }

    private static String[] withKey(Entry entry) {
        List<String> binds = new ArrayList<>(List.of(entry.bucket(), entry.name()));
        binds.addAll(List.of(entry.binds()));
        return binds.toArray(String[]::new);
    }

    /** Deletes what of the names the caller may delete. */
    public List<ObjectRow> delete(StorageCall call, String bucket, List<String> names) {
        List<ObjectRow> gone = new ArrayList<>();
        transactions
                .asCaller(call, Access.WRITE, bound(call, DELETE), bucket, array(names))
                .orElseThrow()
                .forEach(row -> gone.add(new ObjectRow(row)));
        return gone;
    }

    /** How many rows were deleted, and the bytes that they had: SQL of the tenant adds rows without any. */
    public record Deleted(int rows, List<ContentKey> contents) {}

    /** Deletes up to 1,000 files of a bucket. */
    public Deleted deleteSome(StorageCall call, String bucket) {
        JsonNode versions =
                transactions.asCaller(call, Access.WRITE, EMPTY, bucket).orElseThrow();
        return new Deleted(versions.size(), keys(call.tenant(), versions));
    }

    public Optional<ObjectRow> move(
            StorageCall call, String bucket, String name, String otherBucket, String otherName) {
        return transactions
                .asCaller(call, Access.WRITE, bound(call, MOVE), otherBucket, otherName, bucket, name)
                .map(ObjectRow::new);
    }

    private static List<ContentKey> keys(Tenant tenant, JsonNode versions) {
        List<ContentKey> keys = new ArrayList<>();
        versions.forEach(version -> ObjectRow.keyOf(tenant, version.asText()).ifPresent(keys::add));
        return keys;
    }

    private static SqlFragment bound(StorageCall call, SqlTemplate template) {
        return StorageTransactions.bound(call, template, Map.of("columns", COLUMNS));
    }

    static String array(List<String> texts) {
        return texts.stream()
                .map(text -> com.fasterxml.jackson.databind.node.TextNode.valueOf(text)
                        .toString())
                .collect(Collectors.joining(",", "[", "]"));
    }
}
