package svc.graphql.query;

import com.google.errorprone.annotations.CompileTimeConstant;
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

    /** As pg_graphql's JSON has them: numbers, also of types that are strings in rows. */
    private void aggregate(Function function, EntityColumn column) {
        boolean truth = column.type().is(ScalarType.BOOLEAN);
        Runnable value = () -> out.value(row.column(column.column()));
        out.sql("pg_catalog.to_json(");
        switch (function) {
            case SUM -> call("pg_catalog.sum(", value, ")");
            case AVG -> call("pg_catalog.trim_scale(pg_catalog.avg(", value, "::pg_catalog.numeric))");
            // False is less than true.
            case MIN -> call(truth ? "pg_catalog.bool_and(" : "pg_catalog.min(", value, ")");
            case MAX -> call(truth ? "pg_catalog.bool_or(" : "pg_catalog.max(", value, ")");
        }
        out.sql(")::pg_catalog.text");
    }

    private void call(
            @CompileTimeConstant final String before, Runnable value, @CompileTimeConstant final String after) {
        out.sql(before);
        value.run();
        out.sql(after);
    }
}
