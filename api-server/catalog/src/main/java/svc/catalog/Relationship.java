package svc.catalog;

import java.util.List;
import java.util.Optional;

/** A directed relationship from the rows of one relation to rows of another; each foreign key gives two. */
public sealed interface Relationship {
    /** The relation that it starts from. */
    QualifiedIdentifier table();

    /** The relation that it leads to. */
    QualifiedIdentifier foreignTable();

    /** Whether each row is related to at most one row. */
    boolean toOne();

    /** Whether both ends are the same relation. */
    default boolean self() {
        return table().equals(foreignTable());
    }

    /**
     * Derived from a foreign key, or from the two foreign keys of a junction; also between views that show the key's
     * columns.
     *
     * @param tableIsView whether {@code table} is a view
     * @param foreignTableIsView whether {@code foreignTable} is a view
     * @param description the comment of its foreign key; empty through a junction
     */
    record Detected(
            QualifiedIdentifier table,
            QualifiedIdentifier foreignTable,
            Cardinality cardinality,
            boolean tableIsView,
            boolean foreignTableIsView,
            Optional<String> description)
            implements Relationship {
        @Override
        public boolean toOne() {
            return cardinality instanceof Cardinality.ManyToOne || cardinality instanceof Cardinality.OneToOne;
        }
    }

    /**
     * Defined by a function {@code f(table) RETURNS SETOF foreignTable}.
     *
     * @param toOne whether the function is declared ROWS 1
     * @param oid OID of the function, for privilege checks
     * @param description its comment
     */
    record Computed(
            QualifiedIdentifier function,
            QualifiedIdentifier table,
            QualifiedIdentifier foreignTable,
            boolean toOne,
            long oid,
            Optional<String> description)
            implements Relationship {}

    /** The cardinality, with the foreign key or junction that joins the rows. */
    sealed interface Cardinality {
        /** {@code table} has the foreign key. */
        record ManyToOne(String constraint, List<ColumnPair> columns) implements Cardinality {
            public ManyToOne {
                columns = List.copyOf(columns);
            }
        }

        /** {@code foreignTable} has the foreign key. */
        record OneToMany(String constraint, List<ColumnPair> columns) implements Cardinality {
            public OneToMany {
                columns = List.copyOf(columns);
            }
        }

        /**
         * The foreign key's columns are unique in their table.
         *
         * @param parent whether {@code foreignTable} has the foreign key
         */
        record OneToOne(String constraint, List<ColumnPair> columns, boolean parent) implements Cardinality {
            public OneToOne {
                columns = List.copyOf(columns);
            }
        }

        /** Two foreign keys of a third relation, both inside its primary key. */
        record ManyToMany(Junction junction) implements Cardinality {}
    }

    /** A join condition: {@code column} of {@code table} equals {@code foreignColumn} of {@code foreignTable}. */
    record ColumnPair(String column, String foreignColumn) {
        ColumnPair swapped() {
            return new ColumnPair(foreignColumn, column);
        }
    }

    /**
     * The relation in the middle of a many-to-many relationship.
     *
     * @param constraint the junction's foreign key to {@code table}
     * @param foreignConstraint the junction's foreign key to {@code foreignTable}
     * @param source pairs of a column of {@code table} and one of the junction
     * @param target pairs of a column of {@code foreignTable} and one of the junction
     */
    record Junction(
            QualifiedIdentifier table,
            String constraint,
            String foreignConstraint,
            List<ColumnPair> source,
            List<ColumnPair> target) {
        public Junction {
            source = List.copyOf(source);
            target = List.copyOf(target);
        }
    }
}
