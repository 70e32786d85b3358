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
 * A relation with what is known of it, and where its rows come from.
 *
 * @param computed functions that read like columns of it
 * @param alias what it is called in the statement; unlike that of every relation around it
 */
public record Target(Source source, Table table, List<ComputedColumn> computed, Identifier alias) {
    public Target {
        computed = List.copyOf(computed);
    }

    /** What stands in FROM. */
    public sealed interface Source {
        /** The table or view itself. */
        record Relation(QualifiedIdentifier name) implements Source {}

        /**
         * Rows that an earlier part of the statement gave: those of a write, or of a function. Where a computed
         * relationship starts from them, they carry the whole row as a column {@link #ROW}.
         */
        record Rows(Identifier name) implements Source {
            /** A column with the row as the relation's type. */
            public static final Identifier ROW = Identifier.of("pgrst_row");
        }

        /**
         * A computed relationship: a function of the row that it is embedded in.
         *
         * @param of the row's relation
         */
        record Related(QualifiedIdentifier function, QualifiedIdentifier of) implements Source {}
    }

    /** The relation itself, under its own name: messages of PostgreSQL then name columns as callers know them. */
    public static Target of(Table table, ProjectSchema known) {
        return new Target(
                new Source.Relation(table.id()),
                table,
                known.routines().computedColumns(table.id()),
                Identifier.of(table.name()));
    }

    /** The same columns, from other rows. */
    public Target from(Source other) {
        return new Target(other, table, computed, alias);
    }

    /** Whether it is a column, rather than a function that reads like one. */
    public boolean hasColumn(String name) {
        return table.column(name).isPresent();
    }

    /** The type of a column or of a function that reads like one; PostgreSQL will say that an unknown one is unknown. */
    public Optional<DataType> type(String column) {
        return table.column(column)
                .map(Table.Column::dataType)
                .or(() -> computed.stream()
                        .filter(one -> one.function().name().equals(column))
                        .map(ComputedColumn::type)
                        .findFirst());
    }
}
