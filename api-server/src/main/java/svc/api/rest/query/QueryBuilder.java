package svc.api.rest.query;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import svc.api.rest.plan.Plan;
import svc.api.rest.plan.Plan.Output;
import svc.api.rest.plan.Plan.Target;
import svc.api.rest.request.OrderTerm;
import svc.api.rest.request.Preferences.Resolution;
import svc.api.rest.request.RowRange;
import svc.api.rest.request.SelectItem;
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
    private final FieldSql fields;
    private final ConditionSql conditions;

    private QueryBuilder(Target target) {
        this.target = target;
        this.fields = new FieldSql(out, target);
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

    private void read(Plan.Read read) {
        if (read.count()) {
            out.sql("SELECT (SELECT pg_catalog.count(*) FROM ");
            table();
            conditions.where(read.where());
            out.sql("),");
        } else {
            out.sql("SELECT NULL,");
        }
        rendered(read.output());
        out.sql(" FROM (SELECT ");
        fields.select(read.output().select());
        out.sql(" FROM ");
        table();
        conditions.where(read.where());
        fields.order(read.output().order());
        range(read.output().range());
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

    /** Only what the answer needs: returning a column takes the right to read it. */
    private void returning(Output output) {
        Set<Identifier> columns = new LinkedHashSet<>(output.keyOf());
        boolean all = false;
        if (output.body()) {
            for (SelectItem item : output.select()) {
                switch (item) {
                    case SelectItem.All unused -> all = true;
                    case SelectItem.One one ->
                        columns.add(fields.column(one.field().column()));
                }
            }
            for (OrderTerm term : output.order()) {
                columns.add(fields.column(term.field().column()));
            }
        }
        out.sql(" RETURNING ");
        if (all) {
            out.value(target.name()).sql(".*");
        } else if (columns.isEmpty()) {
            out.sql("1");
        } else {
            out.each(
                    List.copyOf(columns), ",", column -> out.value(target.name().dot(column)));
        }
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
        out.sql(" FROM (SELECT ");
        if (output.body()) {
            fields.select(output.select());
        } else {
            out.sql("1");
        }
        out.sql(" FROM pgrst_source AS ").value(target.name());
        if (output.body()) {
            fields.order(output.order());
        }
        range(output.range());
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

    private void range(RowRange range) {
        range.limit().ifPresent(limit -> out.sql(" LIMIT ").bind(Long.toString(limit)));
        if (range.offset() > 0) {
            out.sql(" OFFSET ").bind(Long.toString(range.offset()));
        }
    }

    private void columns(List<Identifier> columns) {
        out.each(columns, ",", out::value);
    }

    private void table() {
        out.value(target.schema().dot(target.name()));
    }
}
