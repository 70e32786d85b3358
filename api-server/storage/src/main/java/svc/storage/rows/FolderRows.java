package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import svc.database.sql.SqlTemplate;
import svc.platform.tenancy.Tenant;
import svc.postgres.Access;
import svc.storage.content.ContentKey;
import svc.storage.http.StorageCall;

/**
 * The rows of a folder, a page at a time in the order of names. Each change is one statement; where the caller's policies
 * decide about the rows, it is of the caller's own role.
 *
 * <p>Hazard: a row is named by its id and by its name, so that a file which another call moves away meanwhile is left alone.
 */
public final class FolderRows {
    /** Binds: bucket, prefix, the name that ends the range, the name to go on after, the number of rows. */
    private static final String CHOSEN = """
            WITH given AS MATERIALIZED (
                SELECT ?::text AS bucket, ?::text AS prefix, ?::text AS behind, ?::text AS after, ?::bigint AS most),
            chosen AS MATERIALIZED (
                SELECT o.* FROM given g CROSS JOIN LATERAL (
                    SELECT n.id, n.name, n.version, coalesce(n.metadata ->> 'mimetype', '') AS type,
                        CASE WHEN jsonb_typeof(n.metadata -> 'size') = 'number'
                            THEN greatest(0, (n.metadata ->> 'size')::numeric) ELSE 0 END AS size
                    FROM :"storage".objects n
                    WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" >= g.prefix AND n.name COLLATE "C" < g.behind
                        AND n.name COLLATE "C" > g.after
                    ORDER BY n.name COLLATE "C" LIMIT g.most) o)
            """;

    private static final String SEEN = """
            'looked', (SELECT count(*) FROM chosen), 'last', (SELECT max(c.name COLLATE "C") FROM chosen c)""";

    private static final SqlTemplate LOOK = SqlTemplate.of(CHOSEN + """
            SELECT jsonb_build_object('files', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'version',
                c.version, 'type', c.type, 'size', c.size) ORDER BY c.name COLLATE "C"), '[]') FROM chosen c))::text""");

    private static final SqlTemplate TYPES = SqlTemplate.of(CHOSEN + """
            SELECT coalesce(jsonb_agg(DISTINCT c.type), '[]')::text FROM chosen c""");

    private static final SqlTemplate DELETE = SqlTemplate.of(CHOSEN + """
            , gone AS (
                DELETE FROM :"storage".objects o USING chosen c, given g
                WHERE o.id = c.id AND o.bucket_id = g.bucket AND o.name = c.name
                RETURNING o.version, c.size)
            SELECT jsonb_build_object(""" + SEEN + """
                , 'size', (SELECT coalesce(sum(g.size), 0) FROM gone g), 'changed', (SELECT count(*) FROM gone),
                'versions', (SELECT coalesce(jsonb_agg(g.version), '[]') FROM gone g))::text""");

    /** Binds after the page's: the other bucket, prefix, the largest size, the types as a JSON array or empty for any. */
    private static final SqlTemplate MOVE = SqlTemplate.of(CHOSEN + """
            , way AS MATERIALIZED (
                SELECT ?::text AS bucket, ?::text AS prefix, ?::bigint AS largest, nullif(?, '')::jsonb AS types),
            named AS MATERIALIZED (
                SELECT c.*, w.prefix || substr(c.name, length(g.prefix) + 1) AS name_there,
                    c.size > w.largest AS large, NOT coalesce(w.types @> to_jsonb(c.type), true) AS foreign_type
                FROM chosen c CROSS JOIN given g CROSS JOIN way w),
            refused AS MATERIALIZED (
                SELECT n.* FROM named n
                WHERE octet_length(n.name_there) > 1024 OR n.large OR n.foreign_type LIMIT 1),
            moved AS (
                UPDATE :"storage".objects o SET bucket_id = w.bucket, name = n.name_there, updated_at = now()
                FROM named n CROSS JOIN given g CROSS JOIN way w
                WHERE o.id = n.id AND o.bucket_id = g.bucket AND o.name = n.name
                    AND NOT EXISTS (SELECT FROM refused)
                RETURNING 1)
            SELECT jsonb_build_object(""" + SEEN + """
                , 'changed', (SELECT count(*) FROM moved), 'refused', (SELECT jsonb_build_object('name', r.name_there,
                    'large', r.large, 'foreign', r.foreign_type, 'type', r.type) FROM refused r))::text""");

    /** Binds: bucket, prefix, the other bucket, prefix, the owner as UUID, the owner, now, the files. */
    private static final String COPIED = """
            WITH given AS MATERIALIZED (
                SELECT ?::text AS bucket, ?::text AS prefix, ?::text AS other, ?::text AS there,
                    nullif(?, '')::uuid AS owner, nullif(?, '') AS owner_id, ?::text AS now, ?::jsonb AS files),
            made AS MATERIALIZED (
                SELECT g.other AS bucket_id, g.there || substr(o.name, length(g.prefix) + 1) AS name, g.owner, g.owner_id,
                    f.item ->> 'copy' AS version, o.user_metadata,
                    CASE WHEN jsonb_typeof(o.metadata) = 'object' THEN o.metadata ELSE '{}' END
                        || jsonb_build_object('lastModified', g.now) AS metadata
                FROM given g CROSS JOIN LATERAL jsonb_array_elements(g.files) AS f(item)
                JOIN :"storage".objects o
                    ON o.bucket_id = g.bucket AND o.name = f.item ->> 'name' AND o.version = f.item ->> 'version')
            """;

    private static final String PUT = """
            INSERT INTO :"storage".objects AS o
                (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
            SELECT m.bucket_id, m.name, m.owner, m.owner_id, m.version, m.metadata, m.user_metadata
            FROM made m""";

    private static final String OVERWRITE = """

            ON CONFLICT (bucket_id, name) DO UPDATE SET owner = excluded.owner, owner_id = excluded.owner_id,
                version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
                updated_at = now()""";

    /** Of a trial: version and size are the service's own, and no caller may write them. */
    private static final String TRY = """
            INSERT INTO :"storage".objects AS o (bucket_id, name, owner, owner_id, metadata, user_metadata)
            SELECT m.bucket_id, m.name, m.owner, m.owner_id, m.metadata, m.user_metadata FROM made m""";

    private static final String TRY_OVERWRITE = """

            ON CONFLICT (bucket_id, name) DO UPDATE SET owner = excluded.owner, owner_id = excluded.owner_id,
                metadata = (excluded.metadata - 'size') || CASE WHEN o.metadata -> 'size' IS NULL THEN '{}'
                    ELSE jsonb_build_object('size', o.metadata -> 'size') END,
                user_metadata = excluded.user_metadata, updated_at = now()""";

    private static final SqlTemplate TRY_INSERT = SqlTemplate.of(COPIED + ", tried AS (" + TRY + ") SELECT '{}'");
    private static final SqlTemplate TRY_UPSERT =
            SqlTemplate.of(COPIED + ", tried AS (" + TRY + TRY_OVERWRITE + ") SELECT '{}'");

    private static final SqlTemplate INSERT = SqlTemplate.of(COPIED + ", put AS (" + PUT + """
             RETURNING o.version)
            SELECT jsonb_build_object('versions', (SELECT coalesce(jsonb_agg(p.version), '[]') FROM put p),
                'replaced', '[]'::jsonb)::text""");

    /** Locks the rows first, as {@link ObjectRows} does. */
    private static final SqlTemplate UPSERT =
            SqlTemplate.of(COPIED + """
            , before AS MATERIALIZED (
                SELECT p.version FROM :"storage".objects p
                WHERE (p.bucket_id, p.name) IN (SELECT m.bucket_id, m.name FROM made m)
                ORDER BY p.name FOR UPDATE),
            put AS (""" + PUT + " CROSS JOIN (SELECT count(*) FROM before) locked" + OVERWRITE + """
             RETURNING o.version)
            SELECT jsonb_build_object('versions', (SELECT coalesce(jsonb_agg(p.version), '[]') FROM put p),
                'replaced', (SELECT coalesce(jsonb_agg(b.version), '[]') FROM before b))::text""");

    private final StorageTransactions transactions;

    public FolderRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /**
     * A part of a folder.
     *
     * @param prefix of the names, with the slash
     * @param behind the least text that follows all of them
     * @param after the name to go on after; empty at the beginning
     * @param most rows
     */
    public record Page(String bucket, String prefix, String behind, String after, int most) {
        private List<String> binds() {
            return List.of(bucket, prefix, behind, after, Integer.toString(most));
        }
    }

    /** A file that is to be copied. */
    public record Source(String name, String version, String type, long size) {}

    /** Those of the page that the caller may read. */
    public List<Source> look(StorageCall call, Page page) {
        List<Source> files = new ArrayList<>();
        asCaller(call, Access.READ, LOOK, page.binds())
                .path("files")
                .forEach(file -> files.add(new Source(
                        file.path("name").asText(),
                        file.path("version").asText(),
                        file.path("type").asText(),
                        file.path("size").asLong())));
        return files;
    }

    /** The media types of those that the caller may read. */
    public List<String> types(StorageCall call, Page page) {
        List<String> types = new ArrayList<>();
        asCaller(call, Access.READ, TYPES, page.binds()).forEach(type -> types.add(type.asText()));
        return types;
    }

    /** Deletes those that the caller may delete: {@code looked}, {@code last}, {@code changed}, {@code size}, {@code versions}. */
    public JsonNode delete(StorageCall call, Page page) {
        return asCaller(call, Access.WRITE, DELETE, page.binds());
    }

    /**
     * Moves those that the caller may change, or none where one is {@code refused}.
     *
     * @param types a JSON array of those that the other bucket takes, empty for any
     */
    public JsonNode move(StorageCall call, Page page, String bucket, String prefix, long limit, String types) {
        List<String> binds = new ArrayList<>(page.binds());
        binds.addAll(List.of(bucket, prefix, Long.toString(limit), types));
        return asCaller(call, Access.WRITE, MOVE, binds);
    }

    /**
     * Files on their way to another folder.
     *
     * @param files an array of objects with {@code name}, {@code version} and, of the bytes of the copy, {@code copy}
     */
    public record Copies(
            String bucket, String prefix, String otherBucket, String otherPrefix, String now, JsonNode files) {
        private String[] binds(StorageCall call) {
            String user = call.user().orElse("");
            String uuid = StorageCall.uuid(user).map(Object::toString).orElse("");
            return new String[] {bucket, prefix, otherBucket, otherPrefix, uuid, user, now, files.toString()};
        }
    }

    /** Whether the caller may write the copies. Fails as PostgreSQL refuses it. */
    public void tryCopies(StorageCall call, Copies copies, boolean upsert) {
        transactions.tryAsCaller(call, upsert ? TRY_UPSERT : TRY_INSERT, copies.binds(call));
    }

    /**
     * What became visible.
     *
     * @param replaced bytes that rows named before
     */
    public record Put(List<ContentKey> copies, List<ContentKey> replaced) {}

    /** Makes copies visible whose source is still what was copied. */
    public Put put(StorageCall call, Copies copies, boolean upsert) {
        JsonNode put = transactions
                .asSystem(call, Access.WRITE, upsert ? UPSERT : INSERT, copies.binds(call))
                .orElseThrow();
        return new Put(keys(call.tenant(), put.path("versions")), keys(call.tenant(), put.path("replaced")));
    }

    /** The bytes that versions name; those that are none of ours are left out. */
    public static List<ContentKey> keys(Tenant tenant, JsonNode versions) {
        List<ContentKey> keys = new ArrayList<>();
        versions.forEach(version -> ObjectRow.keyOf(tenant, version.asText()).ifPresent(keys::add));
        return keys;
    }

    private JsonNode asCaller(StorageCall call, Access access, SqlTemplate statement, List<String> binds) {
        return transactions
                .asCaller(call, access, statement, binds.toArray(String[]::new))
                .orElse(JsonNodeFactory.instance.missingNode());
    }
}
