package svc.graphql.query;

import java.util.List;
import java.util.Optional;
import svc.catalog.ParameterTypes;
import svc.catalog.Relationship.ColumnPair;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.Condition;
import svc.graphql.plan.RowSource;
import svc.graphql.schema.Entity;

/** Writes where rows come from, and the conditions that relate them to the surrounding row. */
final class SourceSql {
    private final QueryWriter out;
    private final ParameterTypes types = new ParameterTypes();
    private int count;

    SourceSql(QueryWriter out) {
        this.out = out;
    }

    /** What decides the types of the statement's parameters, to be written at the end of its select list. */
    ParameterTypes types() {
        return types;
    }

    /** A name that the statement has not used. */
    Identifier next() {
        return Identifier.of("t" + count++);
    }

    /** @param parent the surrounding row; empty for root fields */
    void from(RowSource source, Optional<RowAlias> parent, RowAlias row) {
        out.sql(" FROM ");
        switch (source) {
            case RowSource.Relation relation ->
                out.value(relation.entity().table().id().sql());
            case RowSource.OfRow function -> {
                out.value(function.function().sql()).sql("(");
                parent.orElseThrow().row(out);
                out.sql(")");
            }
            case RowSource.Called called -> call(called.call());
        }
        out.sql(" AS ").value(row.name());
    }

    /** The rows of a relation that belong to a row: FROM and WHERE. */
    void join(Entity target, List<ColumnPair> columns, RowAlias parent, RowAlias row) {
        out.sql(" FROM ").value(target.table().id().sql()).sql(" AS ").value(row.name());
        out.sql(" WHERE ")
                .each(
                        columns,
                        " AND ",
                        pair -> out.value(row.column(pair.foreignColumn()))
                                .sql(" = ")
                                .value(parent.column(pair.column())));
    }

    void call(RowSource.Call call) {
        out.value(call.function().sql()).sql("(");
        out.each(call.arguments(), ",", argument -> {
            out.value(Identifier.of(argument.parameter().sqlName())).sql(" => ");
            if (argument.text() == null) {
                out.sql("NULL");
            } else {
                out.bind(argument.text());
            }
            out.sql("::").value(argument.parameter().sqlType().sql());
        });
        out.sql(")");
    }

    /**
     * The WHERE clause; none without a condition.
     *
     * @param further writes a condition of its own; empty for none
     */
    void where(
            RowSource source,
            Optional<RowAlias> parent,
            RowAlias row,
            List<ColumnPair> columns,
            Condition condition,
            Optional<Runnable> further) {
        Clause clause = new Clause();
        for (ColumnPair pair : columns) {
            clause.next();
            out.value(row.column(pair.foreignColumn()))
                    .sql(" = ")
                    .value(parent.orElseThrow().column(pair.column()));
        }
        if (!(source instanceof RowSource.Relation)) {
            // A function that found nothing returns a row of nulls.
            clause.next();
            out.sql("NOT (").value(row.name()).sql(".* IS NULL)");
        }
        if (!ConditionSql.isEmpty(condition)) {
            clause.next();
            new ConditionSql(out, this, source.entity(), row).write(condition);
        }
        further.ifPresent(writing -> {
            clause.next();
            writing.run();
        });
    }

    private final class Clause {
        private boolean begun;

        void next() {
            out.sql(begun ? " AND " : " WHERE ");
            begun = true;
        }
    }
}
