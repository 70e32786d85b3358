package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.InsertLevel.Related;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.SchemaExtensions.Relation;

/** Reads the objects of an insert and, with extensions, the objects in them: those of one relation become one level. */
final class InsertLevelPlanner {
    private static final int MAX_DEPTH = 5;

    /** Each is a statement. */
    private static final int MAX_LEVELS = 20;

    /** Binds of one statement; the protocol counts them in 16 bits. */
    private static final int MAX_CELLS = 60_000;

    private final Planning planning;
    private int levels;

    InsertLevelPlanner(Planning planning) {
        this.planning = planning;
    }

    InsertLevel plan(Entity entity, List<JsonNode> objects) {
        return plan(entity, objects, 1);
    }

    /** The objects of one relation. */
    private record Nested(Relation relation, List<JsonNode> objects, List<Integer> owners) {}

    private InsertLevel plan(Entity entity, List<JsonNode> objects, int depth) {
        if (++levels > MAX_LEVELS) {
            throw new GraphqlError("objects has more than " + MAX_LEVELS + " nested lists");
        }
        if (depth > MAX_DEPTH) {
            throw new GraphqlError("objects is nested more than " + MAX_DEPTH + " deep");
        }
        if (depth > 1) {
            planning.objects(objects.size());
        }
        List<Map<EntityColumn, Cell>> rows = new ArrayList<>();
        Map<String, Nested> nested = new LinkedHashMap<>();
        for (JsonNode object : objects) {
            rows.add(row(entity, object, rows.size(), nested));
        }
        List<Related> before = new ArrayList<>();
        List<Related> after = new ArrayList<>();
        for (Nested one : nested.values()) {
            Relation relation = one.relation();
            InsertLevel level = plan(relation.target(), one.objects(), depth + 1);
            (relation.holdsKey() ? before : after).add(new Related(relation.columns(), level, one.owners()));
        }
        var level = new InsertLevel(entity, rows, before, after);
        long keys = before.stream().mapToLong(one -> one.columns().size()).sum() + (depth > 1 ? 10 : 0);
        if (rows.size() * (level.columns().size() + keys) > MAX_CELLS) {
            throw new GraphqlError("At most " + MAX_CELLS + " values may be provided to objects");
        }
        return level;
    }

    private Map<EntityColumn, Cell> row(Entity entity, JsonNode object, int number, Map<String, Nested> nested) {
        String type = entity.typeName() + "InsertInput";
        if (!object.isObject()) {
            throw new GraphqlError("Invalid input for " + type + " type");
        }
        Map<EntityColumn, Cell> row = new LinkedHashMap<>();
        List<Relation> given = new ArrayList<>();
        for (Map.Entry<String, JsonNode> one : object.properties()) {
            Optional<EntityColumn> column = entity.column(one.getKey()).filter(EntityColumn::insertable);
            if (column.isPresent()) {
                row.put(column.get(), InputText.cell(column.get(), one.getValue()));
                continue;
            }
            Relation relation = planning.schema()
                    .extensions()
                    .insert(entity, one.getKey())
                    .orElseThrow(() -> new GraphqlError(
                            "Input for type " + type + " contains extra keys [\"" + one.getKey() + "\"]"));
            if (!one.getValue().isNull()) {
                given.add(relation);
                add(relation, one.getValue(), number, nested);
            }
        }
        given.forEach(relation -> refuseBoth(entity, row, relation));
        return row;
    }

    private static void add(Relation relation, JsonNode value, int number, Map<String, Nested> nested) {
        if (value.isArray() && !relation.many()) {
            throw new GraphqlError("Invalid input for " + relation.target().typeName() + "InsertInput type");
        }
        Nested all = nested.computeIfAbsent(
                relation.name(), unused -> new Nested(relation, new ArrayList<>(), new ArrayList<>()));
        for (JsonNode element : value.isArray() ? value : List.of(value)) {
            all.objects().add(element);
            all.owners().add(number);
        }
    }

    /** The key of an inserted row comes from that row. */
    private static void refuseBoth(Entity entity, Map<EntityColumn, Cell> row, Relation relation) {
        if (!relation.holdsKey()) {
            return;
        }
        row.keySet().stream()
                .filter(column -> relation.columns().stream()
                        .anyMatch(pair -> pair.column().equals(column.column().name())))
                .findFirst()
                .ifPresent(column -> {
                    throw new GraphqlError("Input for type " + entity.typeName() + "InsertInput has both \""
                            + column.name() + "\" and \"" + relation.name() + "\"");
                });
    }
}
