package svc.postgres.script;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import svc.database.sql.Identifier;
import svc.database.sql.Literal;
import svc.database.sql.SqlFragment;
import svc.database.sql.SqlTemplate;

/**
 * Reads the types that are not built in, a project's own and those of extensions. Read in the script's transaction, which
 * may have created them.
 */
final class TypeCatalog {
    /** FirstNormalObjectId of PostgreSQL: what is below has the same number everywhere. */
    private static final int FIRST_OF_ITS_OWN = 16384;

    /** Where tenants of a shared database may look; elsewhere the catalog itself is open. */
    private static final SqlFragment FILTERED =
            SqlFragment.of("SELECT pg_catalog.to_regclass('svc_views.pg_type') IS NOT NULL");

    private static final SqlTemplate QUERY = SqlTemplate.of("""
            WITH RECURSIVE wanted (oid) AS (
                SELECT pg_catalog.unnest(:'oids'::pg_catalog.oid[])
                UNION
                SELECT x.part FROM wanted w JOIN :"catalog".pg_type t ON t.oid = w.oid
                CROSS JOIN LATERAL (
                    SELECT t.typelem UNION ALL SELECT t.typbasetype
                    UNION ALL
                    SELECT a.atttypid FROM :"catalog".pg_attribute a
                    WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) AS x (part)
                WHERE x.part >= 16384)
            SELECT t.oid, t.typname, t.typtype, t.typlen, t.typelem, t.typbasetype, t.typdelim, a.attname, a.atttypid
            FROM wanted w JOIN :"catalog".pg_type t ON t.oid = w.oid
            LEFT JOIN :"catalog".pg_attribute a
              ON t.typrelid <> 0 AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY t.oid, a.attnum""");

    private static final Identifier VIEWS = Identifier.of("svc_views");
    private static final Identifier CATALOG = Identifier.of("pg_catalog");

    private TypeCatalog() {}

    /** The types of the columns with the types that they consist of; a type that was dropped is left out. */
    static Map<Integer, CatalogType> of(OwnerSession session, List<StatementResult> statements)
            throws IOException, InternalQuery.RefusedException {
        Set<Integer> wanted = statements.stream()
                .flatMap(statement -> statement.rows().stream())
                .flatMap(rows -> rows.columns().stream())
                .map(ResultRows.Column::typeOid)
                .filter(oid -> Integer.compareUnsigned(oid, FIRST_OF_ITS_OWN) >= 0)
                .collect(Collectors.toCollection(TreeSet::new));
        if (wanted.isEmpty()) {
            return Map.of();
        }
        boolean filtered =
                "t".equals(InternalQuery.ask(session, FILTERED).getFirst().getFirst());
        Identifier catalog = filtered ? VIEWS : CATALOG;
        return read(InternalQuery.ask(session, QUERY.bind(Map.of("oids", array(wanted), "catalog", catalog))));
    }

    /** An array of oids, in the server's input form. */
    static Literal array(Collection<Integer> oids) {
        return Literal.of(oids.stream().map(Integer::toUnsignedString).collect(Collectors.joining(",", "{", "}")));
    }

    private static Map<Integer, CatalogType> read(List<List<String>> rows) {
        Map<Integer, CatalogType> types = new HashMap<>();
        for (List<String> row : rows) {
            types.merge(Integer.parseUnsignedInt(row.getFirst()), type(row), TypeCatalog::together);
        }
        return types;
    }

    private static CatalogType type(List<String> row) {
        // What has elements but a fixed length is no array: name, point, …
        boolean array = "-1".equals(row.get(3));
        return new CatalogType(
                row.get(1),
                row.get(2).charAt(0),
                array ? Integer.parseUnsignedInt(row.get(4)) : 0,
                Integer.parseUnsignedInt(row.get(5)),
                row.get(6).charAt(0),
                Optional.ofNullable(row.get(7))
                        .map(name -> List.of(new CatalogType.Field(name, Integer.parseUnsignedInt(row.get(8)))))
                        .orElse(List.of()));
    }

    private static CatalogType together(CatalogType type, CatalogType more) {
        List<CatalogType.Field> fields = new ArrayList<>(type.fields());
        fields.addAll(more.fields());
        return new CatalogType(type.name(), type.kind(), type.element(), type.base(), type.delimiter(), fields);
    }
}
