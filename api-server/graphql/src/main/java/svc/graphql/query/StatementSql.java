package svc.graphql.query;

import java.util.List;
import java.util.Optional;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.RootPlan;

/** Writes the statement of an operation. */
public final class StatementSql {
    private final QueryWriter out = new QueryWriter();
    private final SourceSql sources = new SourceSql(out);
    private final RowSql rows = new RowSql(out, sources);

    private StatementSql() {}

    /** One statement for all root fields that read. */
    public static Statement reading(List<RootPlan> roots) {
        var sql = new StatementSql();
        sql.out
                .sql("SELECT ")
                .each(roots, ",", sql::column)
                .value(sql.sources.types().sql());
        return sql.done();
    }

    /** One statement for a root field of a mutation. */
    public static Statement writing(RootPlan root) {
        var sql = new StatementSql();
        if (root instanceof RootPlan.Write write) {
            new WriteSql(sql.out, sql.sources, sql.rows).write(write);
        } else {
            sql.out.sql("SELECT ");
            sql.column(root);
            sql.out.value(sql.sources.types().sql());
        }
        return sql.done();
    }

    private Statement done() {
        return new Statement(out.text(), out.binds());
    }

    private void column(RootPlan root) {
        switch (root) {
            case RootPlan.Collection collection ->
                new ConnectionSql(out, sources, rows).write(collection.connection(), Optional.empty());
            case RootPlan.Single single ->
                rows.single(single.source(), Optional.empty(), List.of(), single.condition(), single.row());
            case RootPlan.Value value -> new ValueSql(out).write(value.type(), () -> sources.call(value.call()));
            case RootPlan.Write unused -> throw new IllegalArgumentException("a write is a statement of its own");
            case RootPlan.Typename unused -> throw new IllegalArgumentException("the database is not needed");
            case RootPlan.Introspection unused -> throw new IllegalArgumentException("the database is not needed");
        }
    }
}
