package svc.graphql.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.Condition;
import svc.graphql.plan.RootPlan;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.plan.RootPlan.WriteOutput;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/** Writes inserts, updates and deletes: RETURNING makes the JSON of the records. */
final class WriteSql {
    private static final Identifier AFFECTED = Identifier.of("affected");

    private final QueryWriter out;
    private final SourceSql sources;
    private final RowSql rows;

    WriteSql(QueryWriter out, SourceSql sources, RowSql rows) {
        this.out = out;
        this.sources = sources;
        this.rows = rows;
    }

    void write(RootPlan.Write write) {
        RowAlias row = RowAlias.of(sources.next());
        out.sql("WITH ").value(AFFECTED).sql(" AS (");
        switch (write) {
            case RootPlan.Insert insert -> insert(insert, row);
            case RootPlan.NestedInsert unused ->
                throw new IllegalArgumentException("a nested insert is several statements");
            case RootPlan.Update update -> update(update, row);
            case RootPlan.Delete delete -> {
                out.sql("DELETE FROM ");
                table(delete, row);
                where(delete.entity(), delete.filter(), row);
            }
        }
        out.sql(" RETURNING ");
        answer(write, row, () -> {});
    }

    /**
     * Writes the records of a row, what follows them, and the answer.
     *
     * @param rest writes where the row comes from, after the list of columns
     */
    void answer(RootPlan.Write write, RowAlias row, Runnable rest) {
        List<WriteOutput.Records> records = new ArrayList<>();
        write.outputs().forEach(output -> {
            if (output instanceof WriteOutput.Records all) {
                records.add(all);
            }
        });
        out.sql("1 AS x");
        for (int i = 0; i < records.size(); i++) {
            out.sql(",");
            rows.row(records.get(i).row(), row);
            out.sql(" AS ").value(record(i));
        }
        rest.run();
        out.sql(") SELECT ");
        new JsonObjectSql(out).write(write.outputs(), WriteOutput::key, output -> output(output, records));
        out.sql(",pg_catalog.count(*)")
                .value(sources.types().sql())
                .sql(" FROM ")
                .value(AFFECTED);
    }

    private void output(WriteOutput output, List<WriteOutput.Records> records) {
        switch (output) {
            case WriteOutput.Typename typename -> new JsonObjectSql(out).name(typename.name());
            case WriteOutput.AffectedCount unused -> out.sql("pg_catalog.count(*)::pg_catalog.text");
            case WriteOutput.Records all ->
                new JsonObjectSql(out).array(() -> out.value(record(records.indexOf(all))), () -> {}, () -> {});
        }
    }

    private static Identifier record(int number) {
        return Identifier.of("r" + number);
    }

    private void table(RootPlan.Write write, RowAlias row) {
        out.value(write.entity().table().id().sql()).sql(" AS ").value(row.name());
    }

    private void where(Entity entity, Condition filter, RowAlias row) {
        out.sql(" WHERE ");
        new ConditionSql(out, sources, entity, row).write(filter);
    }

    private void insert(RootPlan.Insert insert, RowAlias row) {
        List<EntityColumn> columns = insert.columns();
        List<List<Optional<Cell>>> values = insert.rows();
        if (columns.isEmpty()) {
            // Objects without a key: the default of any column.
            columns = insert.entity().columns().values().stream()
                    .filter(EntityColumn::insertable)
                    .limit(1)
                    .toList();
            values = Collections.nCopies(values.size(), List.of(Optional.<Cell>empty()));
        }
        List<EntityColumn> named = columns;
        named.forEach(column -> assigned(insert.entity(), column));
        out.sql("INSERT INTO ");
        table(insert, row);
        out.sql(" (")
                .each(
                        named,
                        ",",
                        column -> out.value(Identifier.of(column.column().name())));
        out.sql(") VALUES ").each(values, ",", cells -> {
            out.sql("(");
            for (int i = 0; i < cells.size(); i++) {
                out.sql(i > 0 ? "," : "");
                EntityColumn column = named.get(i);
                cells.get(i).ifPresentOrElse(cell -> cell(column, cell), () -> out.sql("DEFAULT"));
            }
            out.sql(")");
        });
        insert.conflict().ifPresent(conflict -> conflict(insert.entity(), conflict, row));
    }

    private void conflict(Entity entity, RootPlan.Conflict conflict, RowAlias row) {
        out.sql(" ON CONFLICT (")
                .each(conflict.columns(), ",", column -> out.value(name(column)))
                .sql(")");
        if (conflict.updates().isEmpty()) {
            out.sql(" DO NOTHING");
            return;
        }
        out.sql(" DO UPDATE SET ")
                .each(
                        conflict.updates(),
                        ",",
                        column -> out.value(name(column)).sql(" = excluded.").value(name(column)));
        if (!ConditionSql.isEmpty(conflict.filter())) {
            where(entity, conflict.filter(), row);
        }
    }

    private static Identifier name(EntityColumn column) {
        return Identifier.of(column.column().name());
    }

    private void update(RootPlan.Update update, RowAlias row) {
        out.sql("UPDATE ");
        table(update, row);
        out.sql(" SET ").each(update.assignments(), ",", one -> {
            out.value(Identifier.of(one.column().column().name())).sql(" = ");
            assigned(update.entity(), one.column());
            cell(one.column(), one.value());
        });
        where(update.entity(), update.filter(), row);
    }

    private void assigned(Entity entity, EntityColumn column) {
        Table.Column assigned = column.column();
        sources.types().assigned(entity.table().id(), assigned.name(), assigned.dataType());
    }

    private void cell(EntityColumn column, Cell cell) {
        if (cell.text() == null) {
            out.sql("NULL");
        } else {
            out.bind(cell.text()).sql("::").value(column.column().dataType().sql());
        }
    }
}
