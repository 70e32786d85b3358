package svc.graphql.schema;

import java.util.Optional;
import java.util.Set;
import svc.catalog.Table;

/**
 * A column of an entity, with the rights of the role.
 *
 * @param name in GraphQL
 * @param insertable whether an insert may set it
 * @param updatable whether an update may set it
 */
public record EntityColumn(
        String name,
        Table.Column column,
        ValueType type,
        boolean selectable,
        boolean insertable,
        boolean updatable,
        Optional<String> description) {
    /** Built-in types without an order. */
    private static final Set<String> UNORDERED = Set.of(
            "json", "xml", "point", "line", "lseg", "path", "polygon", "box", "circle", "txid_snapshot", "pg_snapshot");

    /** Whether filters may compare it. */
    public boolean isFilterable() {
        return selectable && !type.operators().isEmpty();
    }

    /** Whether rows may be ordered by it; like pg_graphql, not by lists and JSON. */
    public boolean isOrderable() {
        return selectable
                && !(type instanceof ValueType.ListOf)
                && !type.is(ScalarType.JSON)
                && !UNORDERED.contains(column.dataType().underlying().name());
    }
}
