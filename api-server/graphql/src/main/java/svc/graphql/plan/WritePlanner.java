package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import svc.graphql.document.SelectedField;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.Planning.Position;
import svc.graphql.plan.RootPlan.Assignment;
import svc.graphql.plan.RootPlan.WriteOutput;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;

/** Plans updates and deletes, and what is selected of a write. */
final class WritePlanner {
    /** Rows that a write is expected to affect at most; atMost is often the largest number. */
    private static final long MAX_EXPECTED = 1_000;

    private final Planning planning;

    WritePlanner(Planning planning) {
        this.planning = planning;
    }

    RootPlan update(SelectedField field, Entity entity) {
        Planning.arguments(field, Set.of("set", "filter", "atMost"));
        JsonNode set = field.argument("set").orElseThrow(WritePlanner::emptySet);
        List<Assignment> assignments = new ArrayList<>();
        if (!set.isObject()) {
            throw new GraphqlError("Invalid input for " + entity.typeName() + "UpdateInput type");
        }
        for (Map.Entry<String, JsonNode> one : set.properties()) {
            EntityColumn column = entity.column(one.getKey())
                    .filter(EntityColumn::updatable)
                    .orElseThrow(() -> new GraphqlError("Input for type " + entity.typeName()
                            + "UpdateInput contains extra keys [\"" + one.getKey() + "\"]"));
            assignments.add(new Assignment(column, InputText.cell(column, one.getValue())));
        }
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
    List<WriteOutput> outputs(SelectedField field, Entity entity, String suffix, long rows) {
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
