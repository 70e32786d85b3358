package svc.rest.plan;

import java.util.List;
import java.util.Optional;
import svc.catalog.ComputedColumn;
import svc.catalog.DataType;
import svc.catalog.ProjectSchema;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Table;
import svc.database.sql.Identifier;

/**
 * A relation in a statement: its metadata, the source of its rows and its alias.
 *
 * @param computed its computed columns
 * @param alias unique in the statement
 */
public record Target(Source source, Table table, List<ComputedColumn> computed, Identifier alias) {
    public Target {
        computed = List.copyOf(computed);
    }

    /** The item of the FROM clause. */
    public sealed interface Source {
        /** The table or view itself. */
        record Relation(QualifiedIdentifier name) implements Source {}

        /**
         * Rows of a common table expression: those of a write or of a function. If a computed relationship starts from
         * them, the column {@link #ROW} has the whole row.
         */
        record Rows(Identifier name) implements Source {
            /** The column with the whole row as a value of the relation's type. */
            public static final Identifier ROW = Identifier.of("pgrst_row");
        }

        /**
         * A computed relationship: a function of the parent row.
         *
         * @param of the parent relation
         */
        record Related(QualifiedIdentifier function, QualifiedIdentifier of) implements Source {}
    }

    /** The relation under its own name, so that PostgreSQL's messages name columns as in the request. */
    public static Target of(Table table, ProjectSchema known) {
        return new Target(
                new Source.Relation(table.id()),
                table,
                known.routines().computedColumns(table.id()),
                Identifier.of(table.name()));
    }

    /** The same relation with another source. */
    public Target from(Source other) {
        return new Target(other, table, computed, alias);
    }

    /** Whether it is a column and not a computed column. */
    public boolean hasColumn(String name) {
        return table.column(name).isPresent();
    }

    /** The type of a column or computed column; PostgreSQL reports unknown columns. */
    public Optional<DataType> type(String column) {
        Optional<Table.Column> own = table.column(column);
        if (own.isPresent() || computed.isEmpty()) {
            return own.map(Table.Column::dataType);
        }
        return computed.stream()
                .filter(one -> one.function().name().equals(column))
                .map(ComputedColumn::type)
                .findFirst();
    }
}
