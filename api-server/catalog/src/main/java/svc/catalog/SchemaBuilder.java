package svc.catalog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import svc.catalog.CatalogSnapshot.ColumnRow;
import svc.catalog.CatalogSnapshot.RelationRow;

/** Builds a {@link ProjectSchema} from a {@link CatalogSnapshot}. Pure. */
final class SchemaBuilder {
    /** Bits of {@code pg_relation_is_updatable}, one per command. */
    private static final int UPDATE = 1 << 2;

    private static final int INSERT = 1 << 3;
    private static final int DELETE = 1 << 4;

    private final CatalogSnapshot snapshot;
    private final SnapshotTypes types;
    private final Map<Long, RelationRow> rows = new HashMap<>();
    private final ViewLineage lineage;

    private SchemaBuilder(CatalogSnapshot snapshot, SharedTypes shared) {
        this.snapshot = snapshot;
        this.types = new SnapshotTypes(snapshot.types(), shared);
        snapshot.relations().forEach(row -> rows.put(row.oid(), row));
        this.lineage = new ViewLineage(rows);
    }

    /** @param exposed the schemas that requests may select, the default first */
    static ProjectSchema build(CatalogSnapshot snapshot, List<String> exposed, SharedTypes shared) {
        return new SchemaBuilder(snapshot, shared).build(exposed);
    }

    private ProjectSchema build(List<String> exposed) {
        Map<QualifiedIdentifier, Table> tables = rows.values().stream()
                .filter(row -> row.exposed() && !row.partition())
                .map(this::table)
                .collect(Collectors.toUnmodifiableMap(Table::id, table -> table));
        var routines = new SnapshotRoutines(snapshot.routines(), types, rows);
        return new ProjectSchema(
                snapshot.version(),
                exposed,
                tables,
                new Relationships(new SnapshotForeignKeys(rows, lineage).all(), routines.relationships(), tables),
                routines.routines(),
                routines.handlers(),
                snapshot.schemas().stream()
                        .filter(schema -> schema.comment().isPresent())
                        .collect(Collectors.toMap(
                                CatalogSnapshot.SchemaRow::name,
                                schema -> schema.comment().orElseThrow())),
                snapshot.roles().stream()
                        .collect(Collectors.toMap(
                                CatalogSnapshot.RoleRow::name, role -> ImpersonatedRoleSettings.of(role.settings()))));
    }

    private Table table(RelationRow row) {
        Map<Integer, String> names = new HashMap<>();
        row.columns().forEach(column -> names.put(column.number(), column.name()));
        Table.Kind kind = Table.Kind.of(row.kind());
        return new Table(
                row.oid(),
                row.id(),
                kind,
                row.columns().stream()
                        .filter(column -> types.has(column.type()))
                        .map(this::column)
                        .toList(),
                kind.isView()
                        ? lineage.primaryKey(row)
                        : keys(row, "p", names).stream().findFirst().orElse(List.of()),
                keys(row, "u", names),
                mutability(row.events()),
                row.rowSecurity(),
                row.rows(),
                row.comment());
    }

    private static List<List<String>> keys(RelationRow row, String kind, Map<Integer, String> names) {
        return row.keys().stream()
                .filter(key -> key.kind().equals(kind))
                .map(key -> key.columns().stream().map(names::get).toList())
                .toList();
    }

    private static Table.Mutability mutability(int events) {
        return switch (events) {
            case INSERT | UPDATE | DELETE -> Table.Mutability.ALL;
            case 0 -> Table.Mutability.NONE;
            default -> new Table.Mutability((events & INSERT) != 0, (events & UPDATE) != 0, (events & DELETE) != 0);
        };
    }

    private Table.Column column(ColumnRow row) {
        boolean generated = !row.generated().isEmpty();
        Optional<String> own = row.defaultValue();
        return new Table.Column(
                row.name(),
                row.displayed()
                        .map(displayed -> types.modified(row.type(), displayed))
                        .orElseGet(() -> types.type(row.type())),
                !row.notNull() && !types.isNotNull(row.type()),
                generation(row),
                own.isPresent() || generated ? own : types.defaultValue(row.type()),
                types.maxLength(row.type(), row.typmod()),
                row.comment());
    }

    private static Table.Generation generation(ColumnRow row) {
        return switch (row.identity()) {
            case "a" -> Table.Generation.IDENTITY_ALWAYS;
            case "d" -> Table.Generation.IDENTITY_BY_DEFAULT;
            default -> row.generated().isEmpty() ? Table.Generation.NONE : Table.Generation.STORED;
        };
    }
}
