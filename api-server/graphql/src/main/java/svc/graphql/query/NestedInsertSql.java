package svc.graphql.query;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import svc.catalog.ParameterTypes;
import svc.catalog.Table;
import svc.database.sql.Identifier;
import svc.database.sql.QueryWriter;
import svc.graphql.plan.RootPlan;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/** Writes the statements of a nested insert: one for each level, and one for the answer. */
public final class NestedInsertSql {
    private static final Identifier KEYS = Identifier.of("k");

    private NestedInsertSql() {}

    /**
     * An insert of rows.
     *
     * @param rows values by the column's name in the database; absent ones are defaults
     * @param returned the columns whose texts are returned: a JSON array of a row's texts for each row, in order
     */
    public static Statement insert(
            Entity entity, List<Table.Column> columns, List<Map<String, Cell>> rows, List<Table.Column> returned) {
        var out = new QueryWriter();
        var types = new ParameterTypes();
        columns.forEach(column -> types.assigned(entity.table().id(), column.name(), column.dataType()));
        out.sql("WITH affected AS (INSERT INTO ")
                .value(entity.table().id().sql())
                .sql(" (")
                .each(columns, ",", column -> out.value(Identifier.of(column.name())))
                .sql(") VALUES ")
                .each(rows, ",", row -> {
                    out.sql("(").each(columns, ",", column -> cell(out, column, row.get(column.name())));
                    out.sql(")");
                });
        out.sql(" RETURNING pg_catalog.json_build_array(")
                .each(
                        returned,
                        ",",
                        column -> out.value(Identifier.of(column.name())).sql("::pg_catalog.text"))
                .sql(") AS v) SELECT COALESCE(pg_catalog.json_agg(v),'[]'::pg_catalog.json)::pg_catalog.text,"
                        + "pg_catalog.count(*)")
                .value(types.sql())
                .sql(" FROM affected");
        return new Statement(out.text(), out.binds());
    }

    private static void cell(QueryWriter out, Table.Column column, Cell cell) {
        if (cell == null) {
            out.sql("DEFAULT");
        } else if (cell.text() == null) {
            out.sql("NULL");
        } else {
            out.bind(cell.text()).sql("::").value(column.dataType().sql());
        }
    }

    /** @param keys for each column of the entity's key an array of the inserted rows' values, in PostgreSQL's form */
    public static Statement answer(RootPlan.NestedInsert insert, List<String> keys) {
        var out = new QueryWriter();
        var sources = new SourceSql(out);
        var write = new WriteSql(out, sources, new RowSql(out, sources));
        RowAlias row = RowAlias.of(sources.next());
        List<EntityColumn> key = insert.entity().key();
        key.forEach(column -> sources.types()
                .assigned(
                        insert.entity().table().id(),
                        column.column().name(),
                        column.column().dataType()));
        out.sql("WITH affected AS (SELECT ");
        write.answer(insert, row, () -> {
            out.sql(" FROM ROWS FROM (")
                    .each(
                            keys,
                            ",",
                            values -> out.sql("pg_catalog.unnest(").bind(values).sql("::pg_catalog.text[])"))
                    .sql(") WITH ORDINALITY ")
                    .value(KEYS)
                    .sql("(")
                    .each(numbers(key), ",", i -> out.value(name(i)))
                    .sql(",at) JOIN ")
                    .value(insert.entity().table().id().sql())
                    .sql(" AS ")
                    .value(row.name())
                    .sql(" ON ")
                    .each(
                            numbers(key),
                            " AND ",
                            i -> out.value(row.column(key.get(i).column()))
                                    .sql(" = ")
                                    .value(KEYS.dot(name(i)))
                                    .sql("::")
                                    .value(key.get(i).column().dataType().sql()));
            out.sql(" ORDER BY k.at");
        });
        return new Statement(out.text(), out.binds());
    }

    private static List<Integer> numbers(List<EntityColumn> key) {
        return IntStream.range(0, key.size()).boxed().toList();
    }

    private static Identifier name(int number) {
        return Identifier.of("k" + number);
    }
}
