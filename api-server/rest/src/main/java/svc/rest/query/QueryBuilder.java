package svc.rest.query;

import svc.catalog.ParameterTypes;
import svc.database.sql.QueryWriter;
import svc.rest.plan.Plan;
import svc.rest.request.MediaType.ExecutionPlan;
import svc.rest.request.Preferences.Count;

/**
 * Third stage: a {@link Plan} to its SQL statement. PostgreSQL renders the body. Functions and types of the statement
 * itself are schema-qualified, because the tenant's schema comes first in the search path.
 */
public final class QueryBuilder {
    private QueryBuilder() {}

    public static MainQuery build(Plan plan) {
        var out = new QueryWriter();
        if (plan.output().rendering().mediaType() instanceof ExecutionPlan explained) {
            explain(out, explained);
        }
        ParameterTypes types = ComparedColumns.of(plan);
        var writes = new WriteSql(out, plan.target(), types);
        switch (plan) {
            case Plan.Read read -> read(out, read, types);
            case Plan.Insert insert -> writes.insert(insert);
            case Plan.Update update -> writes.update(update);
            case Plan.Upsert upsert -> writes.upsert(upsert);
            case Plan.Delete delete -> writes.delete(delete);
            case Plan.Call call -> new CallSql(out, call, types).write();
        }
        return new MainQuery(out.text(), out.binds());
    }

    /** The EXPLAIN statement for the estimated number of matching rows. */
    public static MainQuery counting(Plan.Read read) {
        var out = new QueryWriter();
        out.sql("EXPLAIN (FORMAT JSON) ");
        new ReadSql(out, read.output().read()).countableRows();
        return new MainQuery(out.text(), out.binds());
    }

    private static void read(QueryWriter out, Plan.Read read, ParameterTypes types) {
        var rows = new ReadSql(out, read.output().read());
        boolean counted = read.count().isPresent() && read.count().get() != Count.PLANNED;
        new BodySql(out, read.output(), BodySql.Of.ROWS, types)
                .write(
                        false,
                        () -> {
                            if (counted) {
                                out.sql("(");
                                rows.count(read.countUpTo());
                                out.sql(")");
                            } else {
                                out.sql("NULL");
                            }
                        },
                        rows::rows,
                        () -> {});
    }

    private static void explain(QueryWriter out, ExecutionPlan explained) {
        out.sql("EXPLAIN (");
        for (ExecutionPlan.Option option : explained.options()) {
            switch (option) {
                case ANALYZE -> out.sql("ANALYZE,");
                case VERBOSE -> out.sql("VERBOSE,");
                case SETTINGS -> out.sql("SETTINGS,");
                case BUFFERS -> out.sql("BUFFERS,");
                case WAL -> out.sql("WAL,");
            }
        }
        out.sql(explained.format() == ExecutionPlan.Format.JSON ? "FORMAT JSON) " : "FORMAT TEXT) ");
    }
}
