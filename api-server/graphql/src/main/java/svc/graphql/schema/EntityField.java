package svc.graphql.schema;

import java.util.List;
import java.util.Optional;
import svc.catalog.DataType;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Relationship.ColumnPair;

/** A field of an entity's object type. */
public sealed interface EntityField {
    String name();

    Optional<String> description();

    /** {@code nodeId}. */
    record NodeId(String name) implements EntityField {
        @Override
        public Optional<String> description() {
            return Optional.of("Globally Unique Record Identifier");
        }
    }

    record OfColumn(EntityColumn column) implements EntityField {
        @Override
        public String name() {
            return column.name();
        }

        @Override
        public Optional<String> description() {
            return column.description();
        }
    }

    /**
     * The row that a key leads to.
     *
     * @param nullable whether there may be none, or none that the role sees
     * @param holdsKey whether this row has the key's columns, otherwise the other row has them
     */
    record ToOne(String name, QualifiedIdentifier target, List<ColumnPair> columns, boolean nullable, boolean holdsKey)
            implements EntityField {
        public ToOne {
            columns = List.copyOf(columns);
        }

        @Override
        public Optional<String> description() {
            return Optional.empty();
        }
    }

    /** The rows that a key leads from. */
    record ToMany(String name, QualifiedIdentifier target, List<ColumnPair> columns) implements EntityField {
        public ToMany {
            columns = List.copyOf(columns);
        }

        @Override
        public Optional<String> description() {
            return Optional.empty();
        }
    }

    /** The value of a function of the row. */
    record Computed(
            String name, QualifiedIdentifier function, ValueType type, DataType sqlType, Optional<String> description)
            implements EntityField {}

    /** The row, or the rows, of a function of the row. */
    record ComputedRows(
            String name,
            QualifiedIdentifier function,
            QualifiedIdentifier target,
            boolean toOne,
            Optional<String> description)
            implements EntityField {}
}
