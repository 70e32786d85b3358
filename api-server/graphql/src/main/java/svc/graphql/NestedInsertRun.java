package svc.graphql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import svc.catalog.Relationship.ColumnPair;
import svc.catalog.Table;
import svc.graphql.plan.InsertLevel;
import svc.graphql.plan.RootPlan;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.query.NestedInsertSql;
import svc.graphql.query.Statement;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.PostgresArray;
import svc.platform.json.ForeignJson;
import svc.postgres.flush.FlushRow;

/**
 * Runs a nested insert inside a transaction: a statement for each level, so that policies and triggers of the later ones see
 * the rows of the earlier ones. Blocks.
 */
final class NestedInsertRun {
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final Function<Statement, FlushRow> statements;

    /** @param statements runs a statement in the transaction */
    NestedInsertRun(Function<Statement, FlushRow> statements) {
        this.statements = statements;
    }

    /** Inserts all rows; returns the row with the answer. */
    FlushRow run(RootPlan.NestedInsert insert) {
        List<EntityColumn> key = insert.entity().key();
        List<Map<String, String>> inserted = insert(
                insert.level(),
                emptyRows(insert.level()),
                key.stream().map(column -> column.column().name()).toList());
        List<String> keys = key.stream()
                .map(column -> PostgresArray.of(inserted.stream()
                        .map(row -> row.get(column.column().name()))
                        .toList()))
                .toList();
        return statements.apply(NestedInsertSql.answer(insert, keys));
    }

    private static List<Map<String, Cell>> emptyRows(InsertLevel level) {
        List<Map<String, Cell>> rows = new ArrayList<>();
        level.rows().forEach(unused -> rows.add(new HashMap<>()));
        return rows;
    }

    /**
     * Inserts a level with all below it.
     *
     * @param keys values of the columns that refer to the surrounding rows, for each row
     * @param wanted names of the columns to return
     */
    private List<Map<String, String>> insert(InsertLevel level, List<Map<String, Cell>> keys, List<String> wanted) {
        for (InsertLevel.Related related : level.before()) {
            List<Map<String, String>> there = insert(
                    related.level(),
                    emptyRows(related.level()),
                    related.columns().stream().map(ColumnPair::foreignColumn).toList());
            for (int i = 0; i < there.size(); i++) {
                Map<String, Cell> row = keys.get(related.owners().get(i));
                for (ColumnPair pair : related.columns()) {
                    row.put(pair.column(), new Cell(there.get(i).get(pair.foreignColumn())));
                }
            }
        }
        Set<String> returned = new LinkedHashSet<>(wanted);
        level.after().forEach(related -> related.columns().forEach(pair -> returned.add(pair.column())));
        List<Map<String, String>> rows = insertRows(level, keys, List.copyOf(returned));
        for (InsertLevel.Related related : level.after()) {
            List<Map<String, Cell>> theirs = emptyRows(related.level());
            for (int i = 0; i < theirs.size(); i++) {
                Map<String, String> owner = rows.get(related.owners().get(i));
                for (ColumnPair pair : related.columns()) {
                    theirs.get(i).put(pair.foreignColumn(), new Cell(owner.get(pair.column())));
                }
            }
            insert(related.level(), theirs, List.of());
        }
        return rows;
    }

    private List<Map<String, String>> insertRows(
            InsertLevel level, List<Map<String, Cell>> keys, List<String> returned) {
        Table table = level.entity().table();
        Set<String> names = new LinkedHashSet<>();
        List<Map<String, Cell>> rows = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Map<String, Cell> row = new LinkedHashMap<>();
            level.rows()
                    .get(i)
                    .forEach((column, cell) -> row.put(column.column().name(), cell));
            row.putAll(keys.get(i));
            names.addAll(row.keySet());
            rows.add(row);
        }
        if (rows.isEmpty()) {
            return List.of();
        }
        if (names.isEmpty()) {
            // Objects without a key: the default of any column.
            level.entity().columns().values().stream()
                    .filter(EntityColumn::insertable)
                    .findFirst()
                    .ifPresent(column -> names.add(column.column().name()));
        }
        FlushRow answer = statements.apply(
                NestedInsertSql.insert(level.entity(), columns(table, names), rows, columns(table, returned)));
        JsonNode values = json(answer.text(0).orElse("[]"));
        if (values.size() != rows.size()) {
            throw new OperationRun.ImpactError("A row of " + level.entity().typeName() + " was not inserted");
        }
        List<Map<String, String>> texts = new ArrayList<>();
        for (JsonNode row : values) {
            Map<String, String> one = new HashMap<>();
            for (int i = 0; i < returned.size(); i++) {
                one.put(returned.get(i), row.get(i).textValue());
            }
            texts.add(one);
        }
        return texts;
    }

    private static List<Table.Column> columns(Table table, Iterable<String> names) {
        List<Table.Column> columns = new ArrayList<>();
        names.forEach(name -> columns.add(table.column(name).orElseThrow()));
        return columns;
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("PostgreSQL builds JSON", e);
        }
    }
}
