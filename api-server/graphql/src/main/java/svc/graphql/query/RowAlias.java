package svc.graphql.query;

import java.util.Optional;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.database.sql.SqlFragment;

/**
 * The name of a row in a statement.
 *
 * @param rowType the type that the row must be cast to before a function takes it; empty if it has its relation's type
 */
record RowAlias(Identifier name, Optional<QualifiedIdentifier> rowType) {
    static RowAlias of(Identifier name) {
        return new RowAlias(name, Optional.empty());
    }

    SqlFragment column(Table.Column column) {
        return column(column.name());
    }

    SqlFragment column(String column) {
        return name.dot(Identifier.of(column));
    }

    /** The row as the argument of a function. The asterisk keeps a column of that name from being read instead. */
    void row(QueryWriter out) {
        if (rowType.isEmpty()) {
            out.value(name).sql(".*");
        } else {
            out.sql("ROW(").value(name).sql(".*)::").value(rowType.get().sql());
        }
    }
}
