package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.crds.project.service.BucketSpec;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.storage.http.StorageCall;
import svc.storage.http.StorageError;

/** The rows of buckets. */
// Hazard: the driver takes no null for a bind; statements say nullif(?, '') instead.
public final class BucketRows {
    private static final SqlTemplate LOOK = SqlTemplate.of("""
            SELECT (SELECT jsonb_build_object('id', b.id, 'public', b.public, 'file_size_limit', b.file_size_limit,
                'allowed_mime_types', to_jsonb(b.allowed_mime_types), 'prepared', to_regclass(?) IS NOT NULL)::text
            FROM :"storage".buckets b WHERE b.id = ?)""");

    private static final SqlFragment COLUMNS = SqlFragment.of("""
            jsonb_build_object('id', b.id, 'name', b.name, 'owner', coalesce(b.owner_id, b.owner::text, ''),
                'public', b.public, 'type', b.type,
                'versioning_status', coalesce(to_jsonb(b) ->> 'versioning_status', 'DISABLED'), 'file_size_limit', b.file_size_limit,
                'allowed_mime_types', to_jsonb(b.allowed_mime_types),
                'created_at', to_char(b.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'updated_at', to_char(b.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))""");

    private static final SqlTemplate GET =
            SqlTemplate.of("SELECT (SELECT :{columns}::text FROM :\"storage\".buckets b WHERE b.id = ?)");

    private static final SqlTemplate LIST = SqlTemplate.of("""
            SELECT coalesce(jsonb_agg(row.item), '[]')::text FROM (
                SELECT :{columns} AS item FROM :"storage".buckets b
                WHERE ?::text = '' OR position(lower(?::text) IN lower(b.name)) > 0
                ORDER BY :{order}, b.id LIMIT ?::bigint OFFSET ?::bigint) row""");

    private static final SqlTemplate CREATE = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"storage".buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
                VALUES (?, ?, nullif(?, '')::uuid, nullif(?, ''), ?::boolean, nullif(?, '')::bigint,
                    CASE WHEN ? <> '' THEN ARRAY(SELECT jsonb_array_elements_text(nullif(?, '')::jsonb)) END))
            SELECT '{}'""");

    /** The same with versioning, whose column comes with the other tables of the service. */
    private static final SqlTemplate CREATE_VERSIONED = SqlTemplate.of("""
            WITH made AS (
                INSERT INTO :"storage".buckets
                    (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types, versioning_status)
                VALUES (?, ?, nullif(?, '')::uuid, nullif(?, ''), ?::boolean, nullif(?, '')::bigint,
                    CASE WHEN ? <> '' THEN ARRAY(SELECT jsonb_array_elements_text(nullif(?, '')::jsonb)) END, ?))
            SELECT '{}'""");

    private static final SqlTemplate UPDATE = SqlTemplate.of("""
            WITH given AS (SELECT ?::jsonb AS j), changed AS (
                UPDATE :"storage".buckets b SET
                    public = CASE WHEN g.j -> 'public' IS NOT NULL THEN (g.j ->> 'public')::boolean ELSE b.public END,
                    file_size_limit = CASE WHEN g.j -> 'file_size_limit' IS NOT NULL
                        THEN (g.j ->> 'file_size_limit')::bigint ELSE b.file_size_limit END,
                    allowed_mime_types = CASE WHEN g.j -> 'allowed_mime_types' IS NULL THEN b.allowed_mime_types
                        WHEN jsonb_typeof(g.j -> 'allowed_mime_types') = 'array'
                        THEN ARRAY(SELECT jsonb_array_elements_text(g.j -> 'allowed_mime_types')) END,
                    :{versioning} updated_at = now()
                FROM given g WHERE b.id = ? RETURNING 1)
            SELECT (SELECT '{}' FROM changed)""");

    private static final SqlFragment VERSIONING =
            SqlFragment.of("versioning_status = coalesce(g.j ->> 'versioning_status', b.versioning_status),");

    private static final SqlTemplate DECLARE_VERSIONING = SqlTemplate.of("""
            WITH declared AS (
                SELECT d.id, CASE WHEN d.versioning THEN 'ENABLED' ELSE 'SUSPENDED' END AS status
                FROM jsonb_to_recordset(?::jsonb) AS d(id text, versioning boolean) WHERE d.versioning IS NOT NULL),
            written AS (
                UPDATE :"storage".buckets b SET versioning_status = d.status, updated_at = now() FROM declared d
                WHERE b.id = d.id AND b.versioning_status IS DISTINCT FROM d.status
                    AND (d.status = 'ENABLED' OR b.versioning_status = 'ENABLED')
                RETURNING 1)
            SELECT to_jsonb(count(*))::text FROM written""");

    private static final SqlTemplate DELETE = SqlTemplate.of("""
            WITH gone AS (DELETE FROM :"storage".buckets b WHERE b.id = ? RETURNING 1)
            SELECT (SELECT '{}' FROM gone)""");

    /** Writes what differs, and nothing where nothing does: tenants' triggers would run for each row. */
    private static final SqlTemplate DECLARE = SqlTemplate.of("""
            WITH declared AS (
                SELECT d.id, d.public, d.file_size_limit,
                    CASE WHEN jsonb_array_length(d.types) > 0
                        THEN ARRAY(SELECT jsonb_array_elements_text(d.types)) END AS types
                FROM jsonb_to_recordset(?::jsonb) AS d(id text, public boolean, file_size_limit bigint, types jsonb)),
            written AS (
                INSERT INTO :"storage".buckets AS b (id, name, public, file_size_limit, allowed_mime_types)
                SELECT d.id, d.id, d.public, d.file_size_limit, d.types FROM declared d
                WHERE NOT EXISTS (SELECT FROM :"storage".buckets e WHERE e.id = d.id
                    AND e.public IS NOT DISTINCT FROM d.public
                    AND e.file_size_limit IS NOT DISTINCT FROM d.file_size_limit
                    AND e.allowed_mime_types IS NOT DISTINCT FROM d.types)
                ON CONFLICT (id) DO UPDATE SET public = excluded.public, file_size_limit = excluded.file_size_limit,
                    allowed_mime_types = excluded.allowed_mime_types, updated_at = now()
                RETURNING 1)
            SELECT to_jsonb(count(*))::text FROM written""");

    private final StorageTransactions transactions;

    public BucketRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** A page of buckets. */
    public enum Order {
        ID(SqlFragment.of("b.id")),
        NAME(SqlFragment.of("b.name")),
        CREATED_AT(SqlFragment.of("b.created_at")),
        UPDATED_AT(SqlFragment.of("b.updated_at"));

        private final SqlFragment column;

        Order(SqlFragment column) {
            this.column = column;
        }
    }

    /**
     * What decides about files of a bucket, for every caller.
     *
     * @throws StorageError when there is none
     */
    public Bucket look(StorageCall call, String id) {
        return find(call, id).orElseThrow(StorageError::noSuchBucket);
    }

    public Optional<Bucket> find(StorageCall call, String id) {
        return transactions
                .asSystem(
                        call,
                        Access.READ,
                        LOOK,
                        call.tenant().names().storage().sql() + "." + StorageTransactions.LAST_TABLE,
                        id)
                .map(Bucket::of);
    }

    /** The bucket, ready to take files. */
    public Bucket prepared(StorageCall call, String id) {
        Bucket bucket = look(call, id);
        if (!bucket.prepared()) {
            transactions.prepare(call.tenant());
        }
        return bucket;
    }

    public JsonNode get(StorageCall call, String id) {
        return transactions
                .asCaller(call, Access.READ, StorageTransactions.bound(call, GET, Map.of("columns", COLUMNS)), id)
                .orElseThrow(StorageError::noSuchBucket);
    }

    public JsonNode list(StorageCall call, Order order, boolean descending, String search, long limit, long offset) {
        SqlFragment by = order.column.append(descending ? SqlFragment.of(" DESC") : SqlFragment.of(" ASC"));
        return transactions
                .asCaller(
                        call,
                        Access.READ,
                        StorageTransactions.bound(call, LIST, Map.of("columns", COLUMNS, "order", by)),
                        search,
                        search,
                        Long.toString(limit),
                        Long.toString(offset))
                .orElseThrow();
    }

    /**
     * @param types a JSON array, or empty
     * @param versioning a status, or empty for a bucket without
     */
    public void create(StorageCall call, String id, boolean open, String limit, String types, String versioning) {
        String user = call.user().orElse("");
        String uuid = StorageCall.uuid(user).map(Object::toString).orElse("");
        List<String> binds = new ArrayList<>(List.of(id, id, uuid, user, Boolean.toString(open), limit, types, types));
        if (!versioning.isEmpty()) {
            transactions.prepare(call.tenant());
            binds.add(versioning);
        }
        transactions.asCaller(
                call, Access.WRITE, versioning.isEmpty() ? CREATE : CREATE_VERSIONED, binds.toArray(String[]::new));
    }

    /** @param changes of columns, as JSON */
    public void update(StorageCall call, String id, JsonNode changes) {
        boolean versioning = changes.has("versioning_status");
        if (versioning) {
            transactions.prepare(call.tenant());
        }
        SqlFragment statement = StorageTransactions.bound(
                call, UPDATE, Map.of("versioning", versioning ? VERSIONING : SqlFragment.empty()));
        if (transactions
                .asCaller(call, Access.WRITE, statement, changes.toString(), id)
                .isEmpty()) {
            throw StorageError.noSuchBucket();
        }
    }

    /**
     * Gives buckets these settings, and makes those that are not there. Others stay as they are.
     *
     * @return how many differed
     */
    public int declare(Tenant tenant, List<BucketSpec> buckets) {
        var rows = JsonNodeFactory.instance.arrayNode();
        for (BucketSpec bucket : buckets) {
            var row = rows.addObject()
                    .put("id", bucket.name())
                    .put("public", bucket.isPublic())
                    .put("file_size_limit", bucket.fileSizeLimit())
                    .put("versioning", bucket.versioning());
            var types = row.putArray("types");
            bucket.allowedMimeTypes().forEach(types::add);
        }
        int written = transactions
                .asSystem(tenant, Access.WRITE, DECLARE, rows.toString())
                .orElseThrow()
                .intValue();
        if (buckets.stream().allMatch(bucket -> bucket.versioning() == null)) {
            return written;
        }
        transactions.prepare(tenant);
        return written
                + transactions
                        .asSystem(tenant, Access.WRITE, DECLARE_VERSIONING, rows.toString())
                        .orElseThrow()
                        .intValue();
    }

    public void delete(StorageCall call, String id) {
        if (transactions.asCaller(call, Access.WRITE, DELETE, id).isEmpty()) {
            throw StorageError.noSuchBucket();
        }
    }
}
