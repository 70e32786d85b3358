package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.postgres.Access;
import svc.storage.http.StorageCall;

/** The rows of what files were. A trigger of the platform writes them; see {@code storage_keep_version}. */
public final class VersionRows {
    private static final SqlFragment COLUMNS = SqlFragment.of("""
            jsonb_build_object('id', v.id, 'name', v.name, 'bucket_id', v.bucket_id, 'version', v.version,
                'owner', coalesce(v.owner::text, ''), 'owner_id', coalesce(v.owner_id, ''),
                'metadata', v.metadata, 'user_metadata', v.user_metadata,
                'created_at', to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'updated_at', to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'archived_at', to_char(v.archived_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))""");

    private static final SqlTemplate OF = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(:{columns} ORDER BY v.archived_at DESC, v.id), '[]')::text
            FROM :"storage".object_versions v WHERE v.bucket_id = ? AND v.name COLLATE "C" = ?""");

    private static final SqlTemplate GET = SqlTemplate.of("""
            SELECT (SELECT :{columns}::text FROM :"storage".object_versions v
                WHERE v.bucket_id = ? AND v.name COLLATE "C" = ? AND v.version = ? LIMIT 1)""");

    /** Binds: bucket, prefix, the text that follows all that begin with it, the name to go on after, the number. */
    private static final SqlTemplate DELETED = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(d.item), '[]')::text FROM (
                SELECT DISTINCT ON (v.name COLLATE "C") :{columns} AS item FROM :"storage".object_versions v
                WHERE v.bucket_id = ? AND v.name COLLATE "C" >= ? AND v.name COLLATE "C" < ? AND v.name COLLATE "C" > ?
                    AND NOT EXISTS (SELECT FROM :"storage".objects o WHERE o.bucket_id = v.bucket_id AND o.name = v.name)
                ORDER BY v.name COLLATE "C", v.archived_at DESC, v.id LIMIT ?::bigint) d""");

    /** The bytes stay where they are: the file's row names them again. A trigger of the tenant may keep it out. */
    private static final SqlTemplate RESTORE = SqlTemplate.of("""
            WITH chosen AS MATERIALIZED (
                SELECT v.* FROM :"storage".object_versions v
                WHERE v.bucket_id = ? AND v.name COLLATE "C" = ? AND (?::text = '' OR v.version = ?)
                ORDER BY v.archived_at DESC, v.id LIMIT 1 FOR UPDATE),
            put AS (
                INSERT INTO :"storage".objects AS v
                    (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
                SELECT c.bucket_id, c.name, c.owner, c.owner_id, c.version, c.metadata, c.user_metadata FROM chosen c
                ON CONFLICT (bucket_id, name) DO UPDATE SET owner = excluded.owner, owner_id = excluded.owner_id,
                    version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
                    updated_at = now()
                RETURNING jsonb_build_object('id', v.id, 'name', v.name, 'bucket_id', v.bucket_id,
                    'version', v.version) AS item),
            gone AS (
                DELETE FROM :"storage".object_versions v USING chosen c
                WHERE v.id = c.id AND EXISTS (SELECT FROM put))
            SELECT (SELECT p.item::text FROM put p)""");

    private static final SqlTemplate DELETE = SqlTemplate.of("""
            WITH gone AS (
                DELETE FROM :"storage".object_versions v
                WHERE v.bucket_id = ? AND v.name COLLATE "C" = ? AND (?::text = '' OR v.version = ?)
                RETURNING :{columns} AS item)
            SELECT coalesce(jsonb_agg(g.item), '[]')::text FROM gone g""");

    private static final SqlTemplate EMPTY = SqlTemplate.of("""
            WITH gone AS (
                DELETE FROM :"storage".object_versions d WHERE d.id IN (
                    SELECT v.id FROM :"storage".object_versions v WHERE v.bucket_id = ? LIMIT 1000)
                RETURNING d.version)
            SELECT coalesce(jsonb_agg(g.version), '[]')::text FROM gone g""");

    private final StorageTransactions transactions;

    public VersionRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** Of a name, the latest first. */
    public JsonNode of(StorageCall call, String bucket, String name) {
        return transactions
                .asSystem(call, Access.READ, bound(call, OF), bucket, name)
                .orElseThrow();
    }

    public Optional<ObjectRow> find(StorageCall call, String bucket, String name, String version) {
        return transactions
                .asSystem(call, Access.READ, bound(call, GET), bucket, name, version)
                .map(ObjectRow::new);
    }

    /** The latest version of each name that has no file any more, by name. */
    public JsonNode deleted(StorageCall call, String bucket, String prefix, String after, int most) {
        return transactions
                .asSystem(
                        call,
                        Access.READ,
                        bound(call, DELETED),
                        bucket,
                        prefix,
                        prefix + "\udbff\udfff",
                        after,
                        Integer.toString(most))
                .orElseThrow();
    }

    /** @param version empty for the latest */
    public Optional<ObjectRow> restore(StorageCall call, String bucket, String name, String version) {
        return transactions
                .asSystem(call, Access.WRITE, RESTORE, bucket, name, version, version)
                .map(ObjectRow::new);
    }

    /** @param version empty for all of the name */
    public JsonNode delete(StorageCall call, String bucket, String name, String version) {
        return transactions
                .asSystem(call, Access.WRITE, bound(call, DELETE), bucket, name, version, version)
                .orElseThrow();
    }

    /** Deletes up to 1,000 versions of a bucket. */
    public ObjectRows.Deleted deleteSome(StorageCall call, String bucket) {
        JsonNode versions =
                transactions.asSystem(call, Access.WRITE, EMPTY, bucket).orElseThrow();
        return new ObjectRows.Deleted(versions.size(), FolderRows.keys(call.tenant(), versions));
    }

    private static SqlFragment bound(StorageCall call, SqlTemplate template) {
        return StorageTransactions.bound(call, template, Map.of("columns", COLUMNS));
    }
}
