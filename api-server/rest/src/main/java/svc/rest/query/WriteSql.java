package svc.rest.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import svc.catalog.ParameterTypes;
import svc.catalog.QualifiedIdentifier;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.rest.plan.Plan;
import svc.rest.plan.Plan.Conflict;
import svc.rest.plan.Plan.Group;
import svc.rest.plan.Plan.Output;
import svc.rest.plan.Plan.Rows;
import svc.rest.plan.Target;
import svc.rest.request.Condition;
import svc.rest.request.Preferences.Resolution;

/** Statements that write rows. The text depends on the columns, not on the number of rows: the body is one bind. */
final class WriteSql {
    private static final Identifier BODY = Identifier.of("pgrst_body");

    private final QueryWriter out;
    private final Target target;
    private final ParameterTypes types;

    WriteSql(QueryWriter out, Target target, ParameterTypes types) {
        this.out = out;
        this.target = target;
        this.types = types;
    }

    void insert(Plan.Insert insert) {
        if (insert.groups().size() == 1) {
            insert(insert.groups().getFirst(), Condition.ALWAYS, insert.conflict(), insert.output());
            return;
        }
        out.sql("WITH ");
        List<Identifier> names = new ArrayList<>();
        for (int i = 0; i < insert.groups().size(); i++) {
            Identifier name = Identifier.of("pgrst_group_" + i);
            Group group = insert.groups().get(i);
            names.add(name);
            out.value(name).sql(" AS (");
            into(group, Condition.ALWAYS);
            insert.conflict().ifPresent(this::conflict);
            returning(insert.output());
            out.sql("),");
        }
        out.sql("pgrst_source AS (")
                .each(names, " UNION ALL ", name -> out.sql("SELECT * FROM ").value(name));
        out.sql(")");
        written(insert.output());
    }

    void upsert(Plan.Upsert upsert) {
        insert(upsert.group(), upsert.where(), Optional.of(upsert.conflict()), upsert.output());
    }

    private void insert(Group group, Condition where, Optional<Conflict> conflict, Output output) {
        out.sql("WITH pgrst_source AS (");
        into(group, where);
        conflict.ifPresent(this::conflict);
        returning(output);
        out.sql(")");
        written(output);
    }

    void update(Plan.Update update) {
        out.sql("WITH pgrst_source AS (UPDATE ");
        table();
        out.sql(" SET ")
                .each(
                        update.columns(),
                        ",",
                        column -> out.value(column).sql("=").value(BODY.dot(column)));
        out.sql(update.columns().isEmpty() || update.defaulted().isEmpty() ? "" : ",")
                .each(update.defaulted(), ",", column -> out.value(column).sql("=DEFAULT"));
        if (!update.columns().isEmpty()) {
            out.sql(" FROM (SELECT * FROM ");
            rows(update.rows());
            out.sql(" LIMIT 1) ").value(BODY);
        }
        new ConditionSql(out, target).where(update.where());
        returning(update.output());
        out.sql(")");
        written(update.output());
    }

    void delete(Plan.Delete delete) {
        out.sql("WITH pgrst_source AS (DELETE FROM ");
        table();
        new ConditionSql(out, target).where(delete.where());
        returning(delete.output());
        out.sql(")");
        written(delete.output());
    }

    private void into(Group group, Condition where) {
        out.sql("INSERT INTO ");
        table();
        if (group.columns().isEmpty()) {
            out.sql(" DEFAULT VALUES");
            return;
        }
        out.sql("(");
        columns(group.columns());
        out.sql(") SELECT ");
        columns(group.columns());
        out.sql(" FROM ");
        rows(group.rows());
        new ConditionSql(out, new Target(target.source(), target.table(), List.of(), BODY)).where(where);
    }

    private void conflict(Conflict conflict) {
        out.sql(" ON CONFLICT");
        if (!conflict.key().isEmpty()) {
            out.sql("(");
            columns(conflict.key());
            out.sql(")");
        }
        if (conflict.resolution() == Resolution.IGNORE_DUPLICATES
                || conflict.merged().isEmpty()) {
            out.sql(" DO NOTHING");
            return;
        }
        // Counts the rows that existed: if all did, the status is 200 instead of 201.
        out.sql(" DO UPDATE SET ")
                .each(
                        conflict.merged(),
                        ",",
                        column -> out.value(column).sql("=EXCLUDED.").value(column))
                .sql(" WHERE pg_catalog.set_config('pgrst.merged',(COALESCE(NULLIF("
                        + "pg_catalog.current_setting('pgrst.merged',true),''),'0')::pg_catalog.int8"
                        + "+1)::pg_catalog.text,true) IS NOT NULL");
    }

    /** The rows of a body under the alias {@link #BODY}: as rows of the table's current type, or with a column list. */
    private void rows(Rows rows) {
        if (rows.only().isEmpty()) {
            out.sql("pg_catalog.json_populate_recordset(NULL::");
            table();
            out.sql(",").bind(rows.json()).sql(") ").value(BODY);
            return;
        }
        out.sql("(SELECT ").each(rows.only(), ",", column -> value(rows, column));
        out.sql(" FROM pg_catalog.json_to_recordset(").bind(rows.json()).sql(") AS pgrst_json(");
        out.each(rows.only(), ",", column -> definition(rows, column));
        out.sql(")) ").value(BODY);
    }

    /** Whether it is JSON that arrives as text. */
    private static boolean isText(Rows rows, Table.Column column) {
        return rows.texts() && column.dataType().isJson();
    }

    private void value(Rows rows, Table.Column column) {
        Optional<QualifiedIdentifier> reading =
                column.dataType().representations().fromJson();
        Identifier name = Identifier.of(column.name());
        reading.ifPresent(function -> out.value(function.sql()).sql("("));
        out.value(name);
        if (isText(rows, column) && reading.isEmpty()) {
            out.sql("::").value(column.dataType().sql());
        }
        out.sql(reading.isPresent() ? ") AS " : " AS ").value(name);
    }

    private void definition(Rows rows, Table.Column column) {
        out.value(Identifier.of(column.name())).sql(" ");
        if (column.dataType().representations().fromJson().isPresent()) {
            out.sql("pg_catalog.json");
        } else if (isText(rows, column)) {
            out.sql("pg_catalog.text");
        } else {
            out.value(column.dataType().sql());
        }
    }

    private void returning(Output output) {
        new ReturningSql(out, output).write();
    }

    private void written(Output output) {
        var rows = new ReadSql(out, output.read());
        new BodySql(out, output, BodySql.Of.ROWS, types)
                .write(
                        true,
                        () -> out.sql("NULL"),
                        () -> {
                            if (output.body()) {
                                rows.rows();
                            } else {
                                rows.countableRows();
                                rows.range();
                            }
                        },
                        () -> {
                            // If both numbers are equal, a second scan of the rows would cost a fifth of the
                            // statement's
                            // time.
                            out.sql(
                                            output.read().givesEveryRow()
                                                    ? ",pg_catalog.count(*)"
                                                    : ",(SELECT pg_catalog.count(*) FROM pgrst_source)")
                                    .sql(",NULLIF(pg_catalog.current_setting('pgrst.merged',true),'')");
                            key(output.keyOf());
                        });
    }

    private void key(List<Identifier> key) {
        if (key.isEmpty()) {
            out.sql(",NULL");
            return;
        }
        out.sql(",(SELECT pg_catalog.row_to_json(k) FROM (SELECT ");
        columns(key);
        out.sql(" FROM pgrst_source LIMIT 1) k)");
    }

    private void columns(List<Identifier> columns) {
        out.each(columns, ",", out::value);
    }

    private void table() {
        out.value(target.table().id().sql());
    }
}
