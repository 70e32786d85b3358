package svc.api.rest.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import svc.api.db.CatalogDatabase;
import svc.api.db.Row;
import svc.api.tenancy.Tenant;
import svc.database.sql.SqlFragment;

/**
 * Reads one project's tables from the catalog. It goes through {@code pg_depend}, whose index leads from a schema to what
 * lies in it: {@code pg_class} has no index on relnamespace, so that way would cost every project the number of all
 * tenants' tables.
 */
public final class SchemaReader {
    private static final SqlFragment VERSION = SqlFragment.of("""
            SELECT v.version::pg_catalog.text || '@' || v.changed_at::pg_catalog.text AS version
            FROM svc_guard.schema_version v WHERE v.schema_name = ?""");

    /** One statement, hence one snapshot: the version and the tables belong together. A row for each column. */
    private static final SqlFragment TABLES = SqlFragment.of("""
            WITH found AS (
                SELECT c.oid, c.relname, c.relkind, a.attname, a.attnum, t.typname, t.typnamespace, i.indkey
                FROM pg_catalog.pg_namespace n
                JOIN pg_catalog.pg_depend d ON d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
                    AND d.refobjid = n.oid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
                LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
                WHERE n.nspname = ?
            )
            SELECT (SELECT v.version::pg_catalog.text || '@' || v.changed_at::pg_catalog.text
                    FROM svc_guard.schema_version v WHERE v.schema_name = ?) AS version,
                f.relname::pg_catalog.text AS table_name, f.relkind::pg_catalog.text AS kind,
                f.attname::pg_catalog.text AS column_name, f.typname::pg_catalog.text AS type_name,
                f.typnamespace = 11 AS builtin,
                pg_catalog.array_position(f.indkey::pg_catalog.int2[], f.attnum)::pg_catalog.int8 AS key_position
            FROM (VALUES (1)) one(row) LEFT JOIN found f ON true
            ORDER BY f.relname, f.attnum""");

    /** What a project has as its version before its first row. */
    private static final String NONE = "";

    private final CatalogDatabase catalog;

    /** Names of the server's own types, of which there are a few hundred: held once for all projects. */
    private final Map<String, String> builtinTypes = new ConcurrentHashMap<>();

    private final Map<String, DataType> types = new ConcurrentHashMap<>();

    public SchemaReader(CatalogDatabase catalog) {
        this.catalog = catalog;
    }

    /** The version in force now: one row by its key. */
    String version(Tenant tenant) {
        return catalog
                .query(
                        tenant.database(),
                        VERSION,
                        row -> row.text("version"),
                        tenant.names().schemaName())
                .stream()
                .findFirst()
                .orElse(NONE);
    }

    /** All tables with the version they belong to. */
    ProjectSchema read(Tenant tenant) {
        String schema = tenant.names().schemaName();
        List<Found> rows = catalog.query(tenant.database(), TABLES, this::found, schema, schema);
        Map<String, List<Found>> byTable = new LinkedHashMap<>();
        for (Found row : rows) {
            row.table()
                    .ifPresent(name -> byTable.computeIfAbsent(name, unused -> new ArrayList<>())
                            .add(row));
        }
        Map<QualifiedIdentifier, Table> tables = new HashMap<>();
        byTable.forEach((name, columns) -> {
            var id = new QualifiedIdentifier(schema, name);
            tables.put(id, table(id, columns));
        });
        return new ProjectSchema(
                rows.getFirst().version(),
                List.of(schema),
                tables,
                Relationships.of(List.of()),
                Routines.of(List.of(), List.of()),
                List.of(),
                Map.of());
    }

    private record Found(
            String version,
            Optional<String> table,
            Optional<String> kind,
            Optional<String> column,
            Optional<String> type,
            Optional<Long> keyPosition) {}

    private Found found(Row row) {
        Optional<String> type = row.optional("type_name", String.class);
        boolean builtin = row.optional("builtin", Boolean.class).orElse(false);
        return new Found(
                row.optional("version", String.class).orElse(NONE),
                row.optional("table_name", String.class),
                row.optional("kind", String.class),
                row.optional("column_name", String.class),
                builtin ? type.map(name -> builtinTypes.computeIfAbsent(name, same -> same)) : type,
                row.optional("key_position", Long.class));
    }

    private Table table(QualifiedIdentifier id, List<Found> rows) {
        List<Table.Column> columns = new ArrayList<>();
        Map<Long, String> key = new HashMap<>();
        for (Found row : rows) {
            if (row.column().isPresent()) {
                var column = new Table.Column(
                        row.column().get(),
                        type(row.type().orElse("")),
                        true,
                        Table.Generation.NONE,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
                columns.add(column);
                row.keyPosition().ifPresent(position -> key.put(position, column.name()));
            }
        }
        List<String> primaryKey = key.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
        return new Table(
                id,
                Table.Kind.of(rows.getFirst().kind().orElse("r")),
                columns,
                primaryKey,
                List.of(),
                Table.Mutability.ALL,
                Optional.empty());
    }

    private DataType type(String name) {
        return types.computeIfAbsent(
                name,
                unused -> new DataType(
                        new QualifiedIdentifier("pg_catalog", name),
                        name,
                        DataType.Form.BASE,
                        Optional.empty(),
                        List.of(),
                        DataType.Representations.NONE));
    }
}
