package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.Planning.Position;
import svc.graphql.plan.RootPlan.Assignment;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.plan.RootPlan.WriteOutput;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/** Plans inserts, updates and deletes. */
final class WritePlanner {
    /** Binds of one statement; the protocol counts them in 16 bits. */
    private static final int MAX_CELLS = 60_000;

    /** Rows that a write is expected to affect at most; atMost is often the largest number. */
    private static final long MAX_EXPECTED = 1_000;

    private final Planning planning;

    WritePlanner(Planning planning) {
        this.planning = planning;
    }

    RootPlan insert(SelectedField field, Entity entity) {
        Planning.arguments(field, Set.of("objects"));
        JsonNode given = field.argument("objects")
                .orElseThrow(() -> new GraphqlError("At least one record must be provided to objects"));
        List<JsonNode> objects = new ArrayList<>();
        if (given.isArray()) {
            given.forEach(objects::add);
        } else {
            objects.add(given);
        }
        if (objects.isEmpty()) {
            throw new GraphqlError("At least one record must be provided to objects");
        }
        if (objects.size() > planning.limits().objects()) {
            throw new GraphqlError("At most " + planning.limits().objects() + " records may be provided to objects");
        }
        String type = entity.typeName() + "InsertInput";
        Map<String, EntityColumn> allowed = allowed(entity, true);
        Set<EntityColumn> columns = new LinkedHashSet<>();
        List<Map<EntityColumn, Cell>> rows = new ArrayList<>();
        for (JsonNode object : objects) {
            Map<EntityColumn, Cell> row = cells(object, allowed, type);
            columns.addAll(row.keySet());
            rows.add(row);
        }
        if ((long) rows.size() * columns.size() > MAX_CELLS) {
            throw new GraphqlError("At most " + MAX_CELLS + " values may be provided to objects");
        }
        List<EntityColumn> order = List.copyOf(columns);
        List<List<Optional<Cell>>> values = rows.stream()
                .map(row -> order.stream()
                        .map(column -> Optional.ofNullable(row.get(column)))
                        .toList())
                .toList();
        return new RootPlan.Insert(
                field.key(), entity, order, values, outputs(field, entity, "InsertResponse", rows.size()));
    }

    RootPlan update(SelectedField field, Entity entity) {
        Planning.arguments(field, Set.of("set", "filter", "atMost"));
        JsonNode set = field.argument("set").orElseThrow(WritePlanner::emptySet);
        List<Assignment> assignments = new ArrayList<>();
        cells(set, allowed(entity, false), entity.typeName() + "UpdateInput")
                .forEach((column, cell) -> assignments.add(new Assignment(column, cell)));
        if (assignments.isEmpty()) {
            throw emptySet();
        }
        long atMost = atMost(field);
        return new RootPlan.Update(
                field.key(),
                entity,
                assignments,
                filter(field, entity),
                Optional.of(atMost),
                outputs(field, entity, "UpdateResponse", atMost));
    }

    private static GraphqlError emptySet() {
        return new GraphqlError("At least one mapping must be provided to set argument");
    }

    RootPlan delete(SelectedField field, Entity entity) {
        Planning.arguments(field, Set.of("filter", "atMost"));
        long atMost = atMost(field);
        return new RootPlan.Delete(
                field.key(),
                entity,
                filter(field, entity),
                Optional.of(atMost),
                outputs(field, entity, "DeleteResponse", atMost));
    }

    /** The columns that an insert, or an update, may set. */
    private static Map<String, EntityColumn> allowed(Entity entity, boolean insert) {
        return entity.columns().values().stream()
                .filter(column -> insert ? column.insertable() : column.updatable())
                .collect(Collectors.toMap(EntityColumn::name, column -> column));
    }

    private static Map<EntityColumn, Cell> cells(JsonNode object, Map<String, EntityColumn> allowed, String type) {
        if (!object.isObject()) {
            throw new GraphqlError("Invalid input for " + type + " type");
        }
        Map<EntityColumn, Cell> cells = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> one : object.properties()) {
            EntityColumn column = allowed.get(one.getKey());
            if (column == null) {
                throw new GraphqlError("Input for type " + type + " contains extra keys [\"" + one.getKey() + "\"]");
            }
            JsonNode value = one.getValue();
            cells.put(
                    column,
                    new Cell(value.isNull() ? null : checkedLength(column, InputText.of(column.type(), value))));
        }
        return cells;
    }

    private static String checkedLength(EntityColumn column, String text) {
        String type = column.column().dataType().underlying().name();
        boolean limited = type.equals("varchar") || type.equals("bpchar");
        column.column().maxLength().filter(unused -> limited).ifPresent(most -> {
            if (text.codePointCount(0, text.length()) > most) {
                throw new GraphqlError("Invalid input for String type. Maximum character length " + most);
            }
        });
        return text;
    }

    private Condition filter(SelectedField field, Entity entity) {
        return field.argument("filter")
                .map(value -> new FilterReader(planning, entity).read(value))
                .orElse(Condition.NONE);
    }

    private static long atMost(SelectedField field) {
        if (!field.arguments().containsKey("atMost")) {
            return 1;
        }
        JsonNode value = field.arguments().get("atMost");
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new GraphqlError("Invalid input for Int type");
        }
        if (value.intValue() < 0) {
            throw new GraphqlError("`atMost` must be an unsigned integer");
        }
        return value.intValue();
    }

    /** @param rows that the write may affect */
    private List<WriteOutput> outputs(SelectedField field, Entity entity, String suffix, long rows) {
        long expected = Math.min(rows, MAX_EXPECTED);
        Position at = Position.ROOT.rows(expected);
        List<WriteOutput> outputs = new ArrayList<>();
        for (SelectedField one : planning.subfields(field, Position.ROOT, entity.typeName() + suffix)) {
            outputs.add(
                    switch (one.name()) {
                        case Planning.TYPENAME -> {
                            Planning.leaf(one);
                            yield new WriteOutput.Typename(one.key(), entity.typeName() + suffix);
                        }
                        case "affectedCount" -> {
                            Planning.leaf(one);
                            yield new WriteOutput.AffectedCount(one.key());
                        }
                        case "records" -> {
                            Planning.arguments(one, Set.of());
                            planning.rows(expected);
                            yield new WriteOutput.Records(
                                    one.key(), new RowPlanner(planning).plan(one, entity, at.inner()));
                        }
                        default ->
                            throw new GraphqlError(
                                    "Unknown field '" + one.name() + "' on type '" + entity.typeName() + suffix + "'");
                    });
        }
        return outputs;
    }
}
