package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.RootPlan.Cell;
import svc.graphql.plan.RootPlan.Conflict;
import svc.graphql.plan.RootPlan.WriteOutput;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.SchemaExtensions;

/** Plans inserts: of rows of one entity, or of rows with related ones in them. */
final class InsertPlanner {
    private static final String CONFLICT = "onConflict";

    private final Planning planning;
    private final SchemaExtensions extensions;

    InsertPlanner(Planning planning) {
        this.planning = planning;
        this.extensions = planning.schema().extensions();
    }

    RootPlan insert(SelectedField field, Entity entity) {
        boolean upserts = !extensions.conflictKeys(entity).isEmpty();
        Planning.arguments(field, upserts ? Set.of("objects", CONFLICT) : Set.of("objects"));
        JsonNode given = field.argument("objects").orElseThrow(InsertPlanner::noObjects);
        List<JsonNode> objects = new ArrayList<>();
        if (given.isArray()) {
            given.forEach(objects::add);
        } else {
            objects.add(given);
        }
        if (objects.isEmpty()) {
            throw noObjects();
        }
        if (objects.size() > planning.limits().objects()) {
            throw new GraphqlError("At most " + planning.limits().objects() + " records may be provided to objects");
        }
        List<WriteOutput> outputs = new WritePlanner(planning).outputs(field, entity, "InsertResponse", objects.size());
        InsertLevel rows = new InsertLevelPlanner(planning).plan(entity, objects);
        if (!rows.isFlat()) {
            if (field.argument(CONFLICT).isPresent()) {
                throw new GraphqlError("onConflict and nested objects cannot be used together");
            }
            return new RootPlan.NestedInsert(field.key(), rows, outputs);
        }
        List<EntityColumn> columns = rows.columns();
        List<List<Optional<Cell>>> values = rows.rows().stream()
                .map(row -> columns.stream()
                        .map(column -> Optional.ofNullable(row.get(column)))
                        .toList())
                .toList();
        Optional<Conflict> conflict = field.argument(CONFLICT).map(value -> conflict(entity, columns, value));
        return new RootPlan.Insert(field.key(), entity, columns, values, conflict, outputs);
    }

    private static GraphqlError noObjects() {
        return new GraphqlError("At least one record must be provided to objects");
    }

    private Conflict conflict(Entity entity, List<EntityColumn> inserted, JsonNode value) {
        String type = entity.typeName() + "OnConflict";
        if (!value.isObject()) {
            throw new GraphqlError("Invalid input for " + type + " type");
        }
        for (Map.Entry<String, JsonNode> one : value.properties()) {
            if (!Set.of("columns", "updateFields", "filter").contains(one.getKey())) {
                throw new GraphqlError("Input for type " + type + " contains extra keys [\"" + one.getKey() + "\"]");
            }
        }
        List<EntityColumn> key =
                columns(entity, value.path("columns")).map(List::copyOf).orElse(entity.key());
        if (extensions.conflictKeys(entity).stream()
                .noneMatch(known -> Set.copyOf(known).equals(Set.copyOf(key)))) {
            throw new GraphqlError("onConflict: " + entity.typeName() + " has no unique key of these columns");
        }
        List<EntityColumn> updates = columns(entity, value.path("updateFields"))
                .map(List::copyOf)
                .orElseGet(() -> inserted.stream()
                        .filter(column -> !key.contains(column))
                        .toList());
        updates.stream().filter(column -> !column.updatable()).findFirst().ifPresent(column -> {
            throw new GraphqlError("onConflict: the field \"" + column.name() + "\" cannot be updated");
        });
        JsonNode filter = value.path("filter");
        return new Conflict(
                key,
                updates,
                filter.isMissingNode() || filter.isNull()
                        ? Condition.NONE
                        : new FilterReader(planning, entity).read(filter));
    }

    /** Empty if they are not given. */
    private static Optional<Set<EntityColumn>> columns(Entity entity, JsonNode names) {
        if (names.isMissingNode() || names.isNull()) {
            return Optional.empty();
        }
        Set<EntityColumn> columns = new LinkedHashSet<>();
        for (JsonNode name : names.isArray() ? names : List.of(names)) {
            columns.add(entity.column(name.asText())
                    .orElseThrow(() -> new GraphqlError("Invalid input for " + entity.columnNameType() + " type")));
        }
        return Optional.of(columns);
    }
}
