package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.storage.content.ContentKey;
import svc.storage.http.StorageCall;

/** Which contents rows name, and how many bytes they are together. */
public final class ContentRows {
    /** SQL of the tenant can have written anything. */
    private static final SqlTemplate TOTAL_SIZE = SqlTemplate.of("""
            SELECT to_jsonb(coalesce(sum(CASE WHEN jsonb_typeof(o.metadata -> 'size') = 'number'
                THEN greatest(0, (o.metadata ->> 'size')::numeric) END), 0)
                + (SELECT coalesce(sum(u.in_progress_size), 0) FROM :"storage".s3_multipart_uploads u))::text
            FROM (SELECT c.metadata FROM :"storage".objects c
                UNION ALL SELECT v.metadata FROM :"storage".object_versions v) o""");

    /**
     * Of an upload in parts too: S3 dates its bytes from its beginning, which may be long before its row is written.
     */
    private static final SqlTemplate KNOWN = SqlTemplate.of("""
            WITH given AS MATERIALIZED (SELECT jsonb_array_elements_text(?::jsonb) AS version)
            SELECT coalesce(jsonb_agg(named.version), '[]')::text FROM (
                SELECT o.version FROM :"storage".objects o WHERE o.version IN (SELECT g.version FROM given g)
                UNION ALL
                SELECT v.version FROM :"storage".object_versions v
                WHERE v.version IN (SELECT g.version FROM given g)
                UNION ALL
                SELECT u.version FROM :"storage".s3_multipart_uploads u
                WHERE u.version IN (SELECT g.version FROM given g)) named""");

    /** Of all files together, in bytes; room for what is added to it. */
    private static final long GREATEST = Long.MAX_VALUE / 4;

    private static final SqlTemplate OF_BUCKET = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(o.version), '[]')::text FROM :"storage".objects o
            WHERE o.bucket_id = ? AND o.version IN (SELECT jsonb_array_elements_text(?::jsonb))""");

    private final StorageTransactions transactions;

    public ContentRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** Of all files of the project, their versions and unfinished uploads in parts, in bytes. */
    public long totalSize(StorageCall call) {
        JsonNode sum = transactions.asSystem(call, Access.READ, TOTAL_SIZE).orElseThrow();
        // Rows that a tenant adds have any size, also one that no number here can hold.
        return sum.canConvertToLong() ? Math.min(sum.longValue(), GREATEST) : GREATEST;
    }

    /** Those of these contents of a project that nothing names; none of a project that is not known here. */
    public List<ContentKey> unnamed(List<ContentKey> keys) {
        Optional<Tenant> tenant = transactions.seen(keys.getFirst().projectId());
        List<ContentKey> unnamed = new ArrayList<>(tenant.isPresent() ? keys : List.of());
        tenant.ifPresent(known -> unnamed.removeAll(new HashSet<>(known(known, keys))));
        return unnamed;
    }

    /** Those of these contents that a file has, or a version of one. */
    public List<ContentKey> known(Tenant tenant, List<ContentKey> keys) {
        return FolderRows.keys(
                tenant,
                transactions
                        .asSystem(tenant, Access.READ, KNOWN, versions(keys))
                        .orElseThrow());
    }

    /** Those of these contents that files of a bucket have. */
    public List<ContentKey> ofBucket(Tenant tenant, String bucket, List<ContentKey> keys) {
        return FolderRows.keys(
                tenant,
                transactions
                        .asSystem(tenant, Access.READ, OF_BUCKET, bucket, versions(keys))
                        .orElseThrow());
    }

    private static String versions(List<ContentKey> keys) {
        return ObjectRows.array(
                keys.stream().map(key -> key.version().toString()).toList());
    }
}
