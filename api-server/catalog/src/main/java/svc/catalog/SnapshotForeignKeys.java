package svc.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import svc.catalog.CatalogSnapshot.ColumnRow;
import svc.catalog.CatalogSnapshot.ForeignKeyRow;
import svc.catalog.CatalogSnapshot.RelationRow;

/** The foreign keys of a snapshot, with all exposed relations that show them. */
final class SnapshotForeignKeys {
    private final Map<Long, RelationRow> relations;
    private final ViewLineage lineage;
    private final Map<Long, Map<Integer, String>> names = new HashMap<>();

    SnapshotForeignKeys(Map<Long, RelationRow> relations, ViewLineage lineage) {
        this.relations = relations;
        this.lineage = lineage;
    }

    List<ForeignKey> all() {
        List<ForeignKey> keys = new ArrayList<>();
        for (RelationRow row : relations.values()) {
            for (ForeignKeyRow key : row.foreignKeys()) {
                RelationRow foreign = relations.get(key.foreignRelation());
                if (foreign != null) {
                    var found = new ForeignKey(
                            key.name(),
                            unique(row, key.columns()),
                            sides(row, key.columns()),
                            sides(foreign, key.foreignColumns()),
                            key.comment());
                    if (!found.sides().isEmpty() && !found.foreignSides().isEmpty()) {
                        keys.add(found);
                    }
                }
            }
        }
        return keys;
    }

    /** Whether a primary key or a unique constraint has exactly these columns, in any order. */
    private static boolean unique(RelationRow row, List<Integer> columns) {
        return row.keys().stream().anyMatch(key -> new HashSet<>(key.columns()).equals(new HashSet<>(columns)));
    }

    private List<ForeignKey.Side> sides(RelationRow table, List<Integer> columns) {
        List<ForeignKey.Side> sides = new ArrayList<>();
        // A partition is only exposed through its partitioned table.
        if (table.exposed() && !table.partition()) {
            sides.add(new ForeignKey.Side(table.id(), false, names(table, columns)));
        }
        for (RelationRow view : lineage.viewsOf(table.oid())) {
            for (List<String> form : lineage.forms(view, table.oid(), columns)) {
                sides.add(new ForeignKey.Side(view.id(), true, form));
            }
        }
        return sides;
    }

    private List<String> names(RelationRow table, List<Integer> columns) {
        Map<Integer, String> known = names.computeIfAbsent(
                table.oid(),
                unused -> table.columns().stream().collect(Collectors.toMap(ColumnRow::number, ColumnRow::name)));
        return columns.stream().map(known::get).toList();
    }
}
