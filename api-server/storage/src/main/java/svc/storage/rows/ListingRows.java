package svc.storage.rows;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;
import svc.postgres.Access;
import svc.storage.http.StorageCall;

/**
 * Lists files and folders. What lies directly in a folder is found by walking the index of names from one entry to the
 * next, over whatever lies in folders below: the cost is that of the entries, however many files the bucket has.
 *
 * <p>Names are compared by bytes. U+10FFFF, which no name has, follows all that begins with a prefix; the character after
 * a slash, {@code 0}, follows all that lies in a folder; U+0001 is the least that can follow a name.
 */
public final class ListingRows {
    /** Binds: bucket, prefix, the least name, the name that ends the range. */
    private static final SqlFragment GIVEN = SqlFragment.of("""
            given AS MATERIALIZED (SELECT ?::text AS bucket, ?::text AS prefix, ?::text AS least, ?::text AS behind)""");

    private static final SqlFragment COLUMNS =
            SqlFragment.of("n.name, n.id, n.metadata, n.created_at, n.updated_at, n.last_accessed_at");

    private static final SqlTemplate FORWARD = SqlTemplate.of("""
            walk AS (
                (SELECT o.* FROM given g CROSS JOIN LATERAL (
                    SELECT :{columns} FROM :"storage".objects n
                    WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" >= g.least AND n.name COLLATE "C" < g.behind
                    ORDER BY n.name COLLATE "C" LIMIT 1) o)
                UNION ALL
                (SELECT o.* FROM walk w CROSS JOIN given g CROSS JOIN LATERAL (
                    SELECT :{columns} FROM :"storage".objects n
                    WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" < g.behind AND n.name COLLATE "C" >=
                        CASE WHEN strpos(substr(w.name, length(g.prefix) + 1), '/') > 0
                            THEN g.prefix || split_part(substr(w.name, length(g.prefix) + 1), '/', 1) || '0'
                            ELSE w.name || chr(1) END
                    ORDER BY n.name COLLATE "C" LIMIT 1) o))""");

    private static final SqlTemplate BACKWARD = SqlTemplate.of("""
            walk AS (
                (SELECT o.* FROM given g CROSS JOIN LATERAL (
                    SELECT :{columns} FROM :"storage".objects n
                    WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" >= g.least AND n.name COLLATE "C" < g.behind
                    ORDER BY n.name COLLATE "C" DESC LIMIT 1) o)
                UNION ALL
                (SELECT o.* FROM walk w CROSS JOIN given g CROSS JOIN LATERAL (
                    SELECT :{columns} FROM :"storage".objects n
                    WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" >= g.least AND n.name COLLATE "C" <
                        CASE WHEN strpos(substr(w.name, length(g.prefix) + 1), '/') > 0
                            THEN g.prefix || split_part(substr(w.name, length(g.prefix) + 1), '/', 1) || '/'
                            ELSE w.name END
                    ORDER BY n.name COLLATE "C" DESC LIMIT 1) o))""");

    /** Files of the range, whatever folders they lie in, in the index's order; the last bind says how many. */
    private static final SqlTemplate FLAT = SqlTemplate.of("""
            walk AS (
                SELECT o.* FROM given g CROSS JOIN LATERAL (
                    SELECT :{columns} FROM :"storage".objects n
                    WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" >= g.least AND n.name COLLATE "C" < g.behind
                    ORDER BY n.name COLLATE "C" :{direction} LIMIT ?::bigint) o)""");

    /** The same in no order. */
    private static final SqlTemplate ALL = SqlTemplate.of("""
            walk AS (
                SELECT :{columns} FROM :"storage".objects n CROSS JOIN given g
                WHERE n.bucket_id = g.bucket AND n.name COLLATE "C" >= g.least AND n.name COLLATE "C" < g.behind)""");

    private static final SqlTemplate ENTRIES = SqlTemplate.of("""
            entry AS (
                SELECT w.*, :{folder} AS folder, substr(w.name, length(g.prefix) + 1) AS rest
                FROM walk w CROSS JOIN given g)""");

    private static final SqlFragment FOLDERS = SqlFragment.of("strpos(substr(w.name, length(g.prefix) + 1), '/') > 0");
    private static final SqlFragment NO_FOLDERS = SqlFragment.of("false");

    private static final SqlFragment TIMES = SqlFragment.of("""
            'updated_at', to_char(e.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'created_at', to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'last_accessed_at', to_char(e.last_accessed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')""");

    /** Folders first, then files. */
    private static final SqlTemplate PAGE = SqlTemplate.of("""
            WITH RECURSIVE :{given}, :{walk}, :{entries}, named AS (
                SELECT e.*, CASE WHEN e.folder THEN split_part(e.rest, '/', 1) ELSE e.rest END AS shown FROM entry e)
            SELECT coalesce(jsonb_agg(p.item), '[]')::text FROM (
                SELECT CASE WHEN e.folder
                    THEN jsonb_build_object('name', e.shown, 'id', null, 'updated_at', null, 'created_at', null,
                        'last_accessed_at', null, 'metadata', null)
                    ELSE jsonb_build_object('name', e.shown, 'id', e.id, :{times}, 'metadata', e.metadata) END AS item
                FROM named e WHERE starts_with(lower(e.shown), lower(?::text))
                ORDER BY e.folder DESC, :{order} LIMIT ?::bigint OFFSET ?::bigint) p""");

    /** By name, from a cursor on. */
    private static final SqlTemplate NEXT = SqlTemplate.of("""
            WITH RECURSIVE :{given}, :{walk}, :{entries}
            SELECT coalesce(jsonb_agg(jsonb_build_object('folder', e.folder, 'rest', e.rest, 'name', e.name, 'id', e.id,
                :{times}, 'metadata', e.metadata)), '[]')::text
            FROM (SELECT * FROM entry LIMIT ?::bigint) e""");

    /** By a time, folders first. Binds after the range: the cursor's kind, time and name, the number of rows. */
    private static final SqlTemplate NEXT_BY_TIME = SqlTemplate.of("""
            WITH RECURSIVE :{given}, :{walk}, :{entries}, timed AS (
                SELECT e.*, CASE WHEN e.folder THEN 0 ELSE 1 END AS kind, CASE WHEN e.folder THEN 0
                    ELSE :{sign} (extract(epoch FROM coalesce(:{time}, 'epoch'::timestamptz)) * 1000000)::bigint END AS at
                FROM entry e)
            SELECT coalesce(jsonb_agg(p.item), '[]')::text FROM (
                SELECT jsonb_build_object('folder', e.folder, 'at', e.at, 'rest', e.rest, 'name', e.name, 'id', e.id,
                    :{times}, 'metadata', e.metadata) AS item
                FROM timed e
                WHERE (e.kind, e.at, e.name COLLATE "C") > (?::int, ?::bigint, ?::text)
                ORDER BY e.kind, e.at, e.name COLLATE "C" LIMIT ?::bigint) p""");

    private final StorageTransactions transactions;

    public ListingRows(StorageTransactions transactions) {
        this.transactions = transactions;
    }

    /** What entries are ordered by. */
    public enum Order {
        NAME(SqlFragment.of("e.shown COLLATE \"C\""), SqlFragment.empty()),
        UPDATED_AT(SqlFragment.of("e.updated_at"), SqlFragment.of("e.updated_at")),
        CREATED_AT(SqlFragment.of("e.created_at"), SqlFragment.of("e.created_at")),
        LAST_ACCESSED_AT(SqlFragment.of("e.last_accessed_at"), SqlFragment.of("e.last_accessed_at"));

        private final SqlFragment column;
        private final SqlFragment time;

        Order(SqlFragment column, SqlFragment time) {
            this.column = column;
            this.time = time;
        }
    }

    /**
     * Which names are listed.
     *
     * @param prefix that all names have
     * @param least of them that may be listed
     * @param behind ends the range
     */
    public record Range(String bucket, String prefix, String least, String behind) {
        private static final String GREATEST = Character.toString(Character.MAX_CODE_POINT);

        public static Range of(String bucket, String prefix) {
            return new Range(bucket, prefix, prefix, prefix + GREATEST);
        }

        /** Without those before this one. */
        public Range from(String other) {
            return new Range(bucket, prefix, other, behind);
        }

        /** Without this one and those behind it. */
        public Range before(String other) {
            return new Range(bucket, prefix, least, other);
        }
    }

    /** The direct content of a folder whose names begin with a text, as the client expects it: JSON. */
    public String page(
            StorageCall call, Range range, String search, Order order, boolean descending, long limit, long offset) {
        SqlFragment by = order.column
                .append(descending ? SqlFragment.of(" DESC") : SqlFragment.of(" ASC"))
                .append(", e.shown COLLATE \"C\"");
        SqlFragment statement = StorageTransactions.bound(
                call,
                PAGE,
                Map.of(
                        "given", GIVEN,
                        "walk", walk(call, FORWARD),
                        "entries", ENTRIES.bind(Map.of("folder", FOLDERS)),
                        "times", TIMES,
                        "order", by));
        return transactions
                .textAsCaller(
                        call,
                        Access.READ,
                        statement,
                        range.bucket(),
                        range.prefix(),
                        range.least(),
                        range.behind(),
                        search,
                        Long.toString(limit),
                        Long.toString(offset))
                .orElseThrow();
    }

    /** Entries by name: {@code folder, rest, name, …}; {@code rest} is the name without the prefix. */
    public JsonNode next(StorageCall call, Range range, boolean folders, boolean descending, long limit) {
        SqlFragment walk = folders ? walk(call, descending ? BACKWARD : FORWARD) : flat(call, descending);
        SqlFragment statement = StorageTransactions.bound(
                call, NEXT, Map.of("given", GIVEN, "walk", walk, "entries", entries(folders), "times", TIMES));
        List<String> binds = new ArrayList<>(List.of(range.bucket(), range.prefix(), range.least(), range.behind()));
        if (!folders) {
            binds.add(Long.toString(limit));
        }
        binds.add(Long.toString(limit));
        return transactions
                .asCaller(call, Access.READ, statement, binds.toArray(String[]::new))
                .orElseThrow();
    }

    /**
     * A place among entries that are ordered by a time.
     *
     * @param kind 0 of folders, 1 of files
     * @param at microseconds, negative in descending order
     */
    public record Place(int kind, long at, String name) {
        public static final Place FIRST = new Place(-1, 0, "");
    }

    /** Entries behind a place, folders first: as {@link #next}, with {@code at}. */
    public JsonNode nextByTime(
            StorageCall call, Range range, boolean folders, Order order, boolean descending, Place place, long limit) {
        SqlFragment statement = StorageTransactions.bound(
                call,
                NEXT_BY_TIME,
                Map.of(
                        "given",
                        GIVEN,
                        "walk",
                        walk(call, folders ? FORWARD : ALL),
                        "entries",
                        entries(folders),
                        "sign",
                        descending ? SqlFragment.of("-") : SqlFragment.empty(),
                        "time",
                        order.time,
                        "times",
                        TIMES));
        return transactions
                .asCaller(
                        call,
                        Access.READ,
                        statement,
                        range.bucket(),
                        range.prefix(),
                        range.least(),
                        range.behind(),
                        Integer.toString(place.kind()),
                        Long.toString(place.at()),
                        place.name(),
                        Long.toString(limit))
                .orElseThrow();
    }

    private static SqlFragment walk(StorageCall call, SqlTemplate template) {
        return StorageTransactions.bound(call, template, Map.of("columns", COLUMNS));
    }

    private static SqlFragment flat(StorageCall call, boolean descending) {
        SqlFragment direction = descending ? SqlFragment.of("DESC") : SqlFragment.of("ASC");
        return StorageTransactions.bound(call, FLAT, Map.of("columns", COLUMNS, "direction", direction));
    }

    private static SqlFragment entries(boolean folders) {
        return ENTRIES.bind(Map.of("folder", folders ? FOLDERS : NO_FOLDERS));
    }
}
