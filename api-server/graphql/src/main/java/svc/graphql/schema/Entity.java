package svc.graphql.schema;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import svc.catalog.Table;

/**
 * A relation that a role sees as a type.
 *
 * @param schemaName of its schema, as applications say it; part of node ids
 * @param typeName of the object type; other types and root fields are named after it
 * @param columns by GraphQL name, in order: those that the role may select, insert or update
 * @param fields of the object type by name, in order
 * @param key columns that identify a row, in order; the role may select them, though a document may be unable to name them
 * @param features what the comment enables
 * @param rights statements other than SELECT that the role may run
 */
public record Entity(
        Table table,
        String schemaName,
        String typeName,
        Map<String, EntityColumn> columns,
        Map<String, EntityField> fields,
        List<EntityColumn> key,
        Features features,
        Rights rights,
        Optional<String> description) {
    public Entity {
        key = List.copyOf(key);
    }

    /**
     * What the comments enable.
     *
     * @param maxRows the rows of a page
     */
    public record Features(boolean totalCount, boolean aggregate, OptionalInt maxRows) {}

    /** The role's rights and the relation's abilities together. */
    public record Rights(boolean insert, boolean update, boolean delete) {}

    /** {@code account} of {@code Account}. */
    public String fieldBase() {
        return Naming.lowerFirst(typeName);
    }

    public String connectionType() {
        return typeName + "Connection";
    }

    public String edgeType() {
        return typeName + "Edge";
    }

    public String filterType() {
        return typeName + "Filter";
    }

    public String orderByType() {
        return typeName + "OrderBy";
    }

    /** The enum of its columns in a schema with extensions. */
    public String columnNameType() {
        return typeName + "ColumnName";
    }

    /** The columns that the role may select. */
    public Collection<EntityColumn> selectable() {
        return columns.values().stream().filter(EntityColumn::selectable).toList();
    }

    public Optional<EntityColumn> column(String name) {
        return Optional.ofNullable(columns.get(name));
    }

    /** Whether documents name this column by its name, and no other. */
    boolean names(EntityColumn column) {
        return column.equals(columns.get(column.name()));
    }
}
