package svc.api.rest.query;

import java.util.ArrayList;
import java.util.List;
import svc.api.rest.plan.Plan;
import svc.api.rest.plan.Plan.Output;
import svc.api.rest.plan.Target;
import svc.api.rest.request.Preferences.Count;
import svc.api.rest.request.Preferences.Resolution;
import svc.database.sql.Identifier;
import svc.database.sql.SqlFragment;

/**
 * Third stage: a {@link Plan} to the statement that answers it. PostgreSQL renders the body. Functions and types of the
 * statement itself are qualified, because the tenant's schema comes first in the search path.
 */
public final class QueryBuilder {
    private static final SqlFragment ROW = SqlFragment.of("_postgrest_t");

    private final QueryWriter out = new QueryWriter();
    private final Target target;
    private final ConditionSql conditions;

    private QueryBuilder(Target target) {
        this.target = target;
        this.conditions = new ConditionSql(out, target);
    }

    public static MainQuery build(Plan plan) {
        var builder = new QueryBuilder(plan.target());
        switch (plan) {
            case Plan.Read read -> builder.read(read);
            case Plan.Insert insert -> builder.insert(insert);
            case Plan.Update update -> builder.update(update);
            case Plan.Delete delete -> builder.delete(delete);
        }
        return builder.out.done();
    }

    /** How many rows a read's condition gives, to be explained instead of run. */
    public static MainQuery counting(Plan.Read read) {
        var out = new QueryWriter();
        out.sql("EXPLAIN (FORMAT JSON) ");
        new ReadSql(out, read.output().read()).members();
        return out.done();
    }

    private void read(Plan.Read read) {
        var rows = new ReadSql(out, read.output().read());
        boolean counted = read.count().isPresent() && read.count().get() != Count.PLANNED;
        if (counted) {
            out.sql("SELECT (");
            rows.count(read.countUpTo());
            out.sql("),");
        } else {
            out.sql("SELECT NULL,");
        }
        rendered(read.output());
        out.sql(" FROM (");
        rows.rows();
        out.sql(") ").value(ROW);
    }

    private void insert(Plan.Insert insert) {
        out.sql("WITH ");
        List<Identifier> names = new ArrayList<>();
        for (int i = 0; i < insert.groups().size(); i++) {
            Identifier name = Identifier.of("pgrst_group_" + i);
            Plan.Group group = insert.groups().get(i);
            names.add(name);
            out.value(name).sql(" AS (INSERT INTO ");
            table();
            group(group);
            insert.conflict().ifPresent(conflict -> conflict(conflict, group));
            returning(insert.output());
            out.sql("),");
        }
        out.sql("pgrst_source AS (")
                .each(names, " UNION ALL ", name -> out.sql("SELECT * FROM ").value(name));
        out.sql(")");
        written(insert.output());
    }

    private void group(Plan.Group group) {
        if (group.columns().isEmpty()) {
            out.sql(" DEFAULT VALUES");
            return;
        }
        out.sql("(");
        columns(group.columns());
        out.sql(") SELECT ");
        columns(group.columns());
        out.sql(" FROM ");
        payload(group.jsonArray());
    }

    private void conflict(Plan.Conflict conflict, Plan.Group group) {
        out.sql(" ON CONFLICT");
        if (!conflict.key().isEmpty()) {
            out.sql("(");
            columns(conflict.key());
            out.sql(")");
        }
        if (conflict.resolution() == Resolution.IGNORE_DUPLICATES
                || group.columns().isEmpty()) {
            out.sql(" DO NOTHING");
            return;
        }
        // Counts the rows that existed: the answer is 200 instead of 201 when all of them did.
        out.sql(" DO UPDATE SET ")
                .each(
                        group.columns(),
                        ",",
                        column -> out.value(column).sql("=EXCLUDED.").value(column))
                .sql(" WHERE pg_catalog.set_config('pgrst.merged',(COALESCE(NULLIF("
                        + "pg_catalog.current_setting('pgrst.merged',true),''),'0')::pg_catalog.int8"
                        + "+1)::pg_catalog.text,true) IS NOT NULL");
    }

    private void update(Plan.Update update) {
        out.sql("WITH pgrst_source AS (UPDATE ");
        table();
        out.sql(" SET ")
                .each(
                        update.columns(),
                        ",",
                        column -> out.value(column).sql("=pgrst_body.").value(column))
                .sql(" FROM (SELECT * FROM ");
        payload(update.json());
        out.sql(" LIMIT 1) pgrst_body");
        conditions.where(update.where());
        returning(update.output());
        out.sql(")");
        written(update.output());
    }

    private void delete(Plan.Delete delete) {
        out.sql("WITH pgrst_source AS (DELETE FROM ");
        table();
        conditions.where(delete.where());
        returning(delete.output());
        out.sql(")");
        written(delete.output());
    }

    /** The rows of a body, read as rows of the table: their types are the catalog's of this moment. */
    private void payload(String jsonArray) {
        out.sql("pg_catalog.json_populate_recordset(NULL::");
        table();
        out.sql(",").bind(jsonArray).sql(")");
    }

    private void returning(Output output) {
        new ReturningSql(out, output).write();
    }

    private void written(Output output) {
        out.sql(" SELECT NULL,");
        rendered(output);
        out.sql(",(SELECT pg_catalog.count(*) FROM pgrst_source)")
                .sql(",NULLIF(pg_catalog.current_setting('pgrst.merged',true),'')");
        if (output.keyOf().isEmpty()) {
            out.sql(",NULL");
        } else {
            out.sql(",(SELECT pg_catalog.row_to_json(k) FROM (SELECT ");
            columns(output.keyOf());
            out.sql(" FROM pgrst_source LIMIT 1) k)");
        }
        out.sql(" FROM (");
        var rows = new ReadSql(out, output.read());
        if (output.body()) {
            rows.rows();
        } else {
            rows.members();
            rows.range();
        }
        out.sql(") ").value(ROW);
    }

    /** The number of rows and the body. */
    private void rendered(Output output) {
        out.sql("pg_catalog.count(*),");
        if (!output.body()) {
            out.sql("''");
            return;
        }
        out.sql("COALESCE((").sql(output.nullsStripped() ? "pg_catalog.json_strip_nulls(" : "");
        out.sql("pg_catalog.json_agg(").value(ROW).sql(")").sql(output.nullsStripped() ? ")" : "");
        if (output.singular()) {
            out.sql("->0)::pg_catalog.text,'null')");
        } else {
            out.sql(")::pg_catalog.text,'[]')");
        }
    }

    private void columns(List<Identifier> columns) {
        out.each(columns, ",", out::value);
    }

    private void table() {
        out.value(target.table().id().sql());
    }
}
