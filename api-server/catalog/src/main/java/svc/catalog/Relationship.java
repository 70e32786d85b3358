package svc.catalog;

import java.util.List;

/** A way from the rows of one relation to rows of another, directed: of each foreign key there are two. */
public sealed interface Relationship {
    /** Where it starts. */
    QualifiedIdentifier table();

    /** Where it leads. */
    QualifiedIdentifier foreignTable();

    /** Whether a row has at most one on the other side: an object in the answer, not an array. */
    boolean toOne();

    /** Whether it leads back to the relation it starts from. */
    default boolean self() {
        return table().equals(foreignTable());
    }

    /**
     * From a foreign key, or two of them over a junction; between views, from the key's columns that they show.
     *
     * @param tableIsView whether {@code table} is a view
     * @param foreignTableIsView whether {@code foreignTable} is a view
     */
    record Detected(
            QualifiedIdentifier table,
            QualifiedIdentifier foreignTable,
            Cardinality cardinality,
            boolean tableIsView,
            boolean foreignTableIsView)
            implements Relationship {
        @Override
        public boolean toOne() {
            return cardinality instanceof Cardinality.ManyToOne || cardinality instanceof Cardinality.OneToOne;
        }
    }

    /**
     * From a function {@code f(table) RETURNS SETOF foreignTable}. It stands in for a detected relationship to a relation
     * of the function's name.
     *
     * @param toOne whether the function is declared ROWS 1
     */
    record Computed(
            QualifiedIdentifier function, QualifiedIdentifier table, QualifiedIdentifier foreignTable, boolean toOne)
            implements Relationship {}

    /** How many rows stand on each side, and what joins them. */
    sealed interface Cardinality {
        /** The foreign key lies in {@code table}. */
        record ManyToOne(String constraint, List<ColumnPair> columns) implements Cardinality {
            public ManyToOne {
                columns = List.copyOf(columns);
            }
        }

        /** The foreign key lies in {@code foreignTable}. */
        record OneToMany(String constraint, List<ColumnPair> columns) implements Cardinality {
            public OneToMany {
                columns = List.copyOf(columns);
            }
        }

        /**
         * The foreign key's columns are unique in their table.
         *
         * @param parent whether the foreign key lies in {@code foreignTable}
         */
        record OneToOne(String constraint, List<ColumnPair> columns, boolean parent) implements Cardinality {
            public OneToOne {
                columns = List.copyOf(columns);
            }
        }

        /** Two foreign keys of a third relation, both inside its primary key. */
        record ManyToMany(Junction junction) implements Cardinality {}
    }

    /** A condition of the join: {@code column} of {@code table} equals {@code foreignColumn} of {@code foreignTable}. */
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
