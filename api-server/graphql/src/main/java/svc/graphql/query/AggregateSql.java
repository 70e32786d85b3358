package svc.graphql.query;

import java.util.List;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.ConnectionPlan.AggregateOutput;
import svc.graphql.plan.ConnectionPlan.AggregateValue;
import svc.graphql.plan.ConnectionPlan.Function;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.ScalarType;

/** Writes the aggregates of a collection. */
final class AggregateSql {
    private final QueryWriter out;
    private final RowAlias row;
    private final JsonObjectSql objects;

    AggregateSql(QueryWriter out, RowAlias row) {
        this.out = out;
        this.row = row;
        this.objects = new JsonObjectSql(out);
    }

    void write(List<AggregateOutput> outputs) {
        objects.write(outputs, AggregateOutput::key, output -> {
            switch (output) {
                case AggregateOutput.Typename typename -> objects.name(typename.name());
                case AggregateOutput.Count unused -> out.sql("pg_catalog.count(*)::pg_catalog.text");
                case AggregateOutput.Values values ->
                    objects.write(values.values(), AggregateValue::key, value -> {
                        switch (value) {
                            case AggregateValue.Typename unused -> objects.name(values.typeName());
                            case AggregateValue.OfColumn of -> aggregate(values.function(), of.column());
                        }
                    });
            }
        });
    }

    private void aggregate(Function function, EntityColumn column) {
        boolean truth = column.type().is(ScalarType.BOOLEAN);
        out.sql("pg_catalog.to_json(");
        switch (function) {
            case SUM -> out.sql("pg_catalog.sum(");
            case AVG -> out.sql("pg_catalog.avg(");
            // False is less than true.
            case MIN -> out.sql(truth ? "pg_catalog.bool_and(" : "pg_catalog.min(");
            case MAX -> out.sql(truth ? "pg_catalog.bool_or(" : "pg_catalog.max(");
        }
        out.value(row.column(column.column())).sql(")");
        boolean text = function == Function.SUM
                || function == Function.AVG
                || column.type().is(ScalarType.BIG_INT)
                || column.type().is(ScalarType.BIG_FLOAT);
        out.sql(text ? "::pg_catalog.text)::pg_catalog.text" : ")::pg_catalog.text");
    }
}
