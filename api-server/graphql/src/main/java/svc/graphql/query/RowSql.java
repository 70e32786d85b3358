package svc.graphql.query;

import java.util.List;
import java.util.Optional;
import svc.catalog.Relationship.ColumnPair;
import svc.database.sql.Literal;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.Condition;
import svc.graphql.plan.RowPlan;
import svc.graphql.plan.RowPlan.Output;
import svc.graphql.plan.RowSource;
import svc.graphql.schema.Entity;

/** Writes rows as JSON objects. */
final class RowSql {
    private final QueryWriter out;
    private final SourceSql sources;
    private final JsonObjectSql objects;
    private final ValueSql values;

    RowSql(QueryWriter out, SourceSql sources) {
        this.out = out;
        this.sources = sources;
        this.objects = new JsonObjectSql(out);
        this.values = new ValueSql(out);
    }

    /** JSON as an expression of type text. */
    void row(RowPlan plan, RowAlias row) {
        objects.write(plan.outputs(), Output::key, output -> output(output, plan.entity(), row));
    }

    private void output(Output output, Entity entity, RowAlias row) {
        switch (output) {
            case Output.Typename typename -> objects.name(typename.name());
            case Output.NodeId unused -> nodeId(entity, row);
            case Output.Value value ->
                values.write(
                        value.column().type(),
                        () -> out.value(row.column(value.column().column())));
            case Output.Computed computed ->
                values.write(computed.type(), () -> {
                    out.value(computed.function().sql()).sql("(");
                    row.row(out);
                    out.sql(")");
                });
            case Output.One one -> single(one.source(), Optional.of(row), one.columns(), Condition.NONE, one.row());
            case Output.Many many -> new ConnectionSql(out, sources, this).write(many.connection(), Optional.of(row));
        }
    }

    /** A scalar subquery for at most one row, null if there is none. */
    void single(
            RowSource source, Optional<RowAlias> parent, List<ColumnPair> columns, Condition condition, RowPlan plan) {
        RowAlias row = RowAlias.of(sources.next());
        out.sql("(SELECT ");
        row(plan, row);
        sources.from(source, parent, row);
        sources.where(source, parent, row, columns, condition, Optional.empty());
        out.sql(" LIMIT 1)");
    }

    private void nodeId(Entity entity, RowAlias row) {
        out.sql("('\"' OPERATOR(pg_catalog.||) "
                        + "pg_catalog.translate(pg_catalog.encode(pg_catalog.convert_to(pg_catalog.jsonb_build_array(")
                .value(Literal.of(entity.schemaName()))
                .sql(",")
                .value(Literal.of(entity.table().name()))
                .sql(",")
                .each(entity.key(), ",", column -> out.value(row.column(column.column())))
                .sql(")::pg_catalog.text,'UTF8'),'base64'),E'\\n','') OPERATOR(pg_catalog.||) '\"')");
    }
}
