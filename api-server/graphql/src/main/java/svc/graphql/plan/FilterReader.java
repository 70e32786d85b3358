package svc.graphql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.graphql.error.GraphqlError;
import svc.graphql.plan.Condition.Quantifier;
import svc.graphql.schema.Entity;
import svc.graphql.schema.EntityColumn;
import svc.graphql.schema.FilterOperator;
import svc.graphql.schema.PostgresArray;
import svc.graphql.schema.ScalarType;
import svc.graphql.schema.SchemaExtensions;
import svc.graphql.schema.SchemaExtensions.Relation;
import svc.graphql.schema.ValueType;
import svc.graphql.schema.ValueType.Scalar;

/** Reads filters. */
final class FilterReader {
    private static final int MAX_DEPTH = 30;

    private final Planning planning;
    private final Entity entity;
    private final SchemaExtensions extensions;

    FilterReader(Planning planning, Entity entity) {
        this.planning = planning;
        this.entity = entity;
        this.extensions = planning.schema().extensions();
    }

    Condition read(JsonNode filter) {
        return read(filter, 1);
    }

    private Condition read(JsonNode filter, int depth) {
        if (!filter.isObject()) {
            throw new GraphqlError("Invalid input for " + entity.filterType() + " type");
        }
        if (depth > MAX_DEPTH) {
            throw new GraphqlError("A filter is nested more than " + MAX_DEPTH + " deep");
        }
        List<Condition> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : filter.properties()) {
            part(field.getKey(), field.getValue(), depth, parts);
        }
        return new Condition.All(parts);
    }

    private void part(String name, JsonNode value, int depth, List<Condition> parts) {
        planning.condition();
        EntityColumn column = entity.columns().get(name);
        if (column != null && extensions.isFilterable(column)) {
            if (!value.isNull()) {
                column(column, value, parts);
            }
            return;
        }
        switch (name) {
            case "and" -> combined(value, depth, parts, true);
            case "or" -> combined(value, depth, parts, false);
            case "not" -> {
                if (!value.isNull()) {
                    Condition inner = read(value, depth + 1);
                    if (!isEmpty(inner)) {
                        parts.add(new Condition.Not(inner));
                    }
                }
            }
            case "nodeId" -> nodeId(value, parts);
            default ->
                related(
                        extensions.filter(entity, name).orElseThrow(() -> extraKey(entity.filterType(), name)),
                        value,
                        depth,
                        parts);
        }
    }

    private static GraphqlError extraKey(String type, String name) {
        return new GraphqlError("Input for type " + type + " contains extra keys [\"" + name + "\"]");
    }

    private void related(Relation relation, JsonNode value, int depth, List<Condition> parts) {
        if (value.isNull()) {
            return;
        }
        if (!relation.many()) {
            parts.add(related(relation, Quantifier.SOME, value, depth));
            return;
        }
        String type = relation.target().typeName() + "RelationFilter";
        if (!value.isObject()) {
            throw new GraphqlError("Invalid input for " + type + " type");
        }
        for (Map.Entry<String, JsonNode> one : value.properties()) {
            Quantifier quantifier = switch (one.getKey()) {
                case "some" -> Quantifier.SOME;
                case "every" -> Quantifier.EVERY;
                case "none" -> Quantifier.NONE;
                default -> throw extraKey(type, one.getKey());
            };
            if (!one.getValue().isNull()) {
                parts.add(related(relation, quantifier, one.getValue(), depth));
            }
        }
    }

    private Condition related(Relation relation, Quantifier quantifier, JsonNode value, int depth) {
        planning.related(relation.target());
        Condition inner = new FilterReader(planning, relation.target()).read(value, depth + 1);
        return new Condition.Related(quantifier, relation.target(), relation.columns(), inner);
    }

    /** Empty filters in a list, and an empty list, are no conditions. */
    private void combined(JsonNode value, int depth, List<Condition> parts, boolean all) {
        if (value.isNull()) {
            return;
        }
        List<Condition> inner = new ArrayList<>();
        for (JsonNode element : value.isArray() ? value : List.of(value)) {
            Condition one = read(element, depth + 1);
            if (!isEmpty(one)) {
                inner.add(one);
            }
        }
        if (!inner.isEmpty()) {
            parts.add(all ? new Condition.All(inner) : new Condition.Any(inner));
        }
    }

    private static boolean isEmpty(Condition condition) {
        return condition instanceof Condition.All all && all.parts().isEmpty();
    }

    private void nodeId(JsonNode value, List<Condition> parts) {
        if (!value.isObject()) {
            throw new GraphqlError("Invalid input for IDFilter type");
        }
        for (Map.Entry<String, JsonNode> operator : value.properties()) {
            if (!operator.getKey().equals("eq")) {
                throw new GraphqlError("Input for type IDFilter contains extra keys [\"" + operator.getKey() + "\"]");
            }
            if (operator.getValue().isNull()) {
                parts.add(new Condition.Unknown());
            } else {
                parts.add(NodeIds.read(operator.getValue()).condition(entity));
            }
        }
    }

    private void column(EntityColumn column, JsonNode value, List<Condition> parts) {
        if (!value.isObject()) {
            throw new GraphqlError("Invalid input for " + column.type().filterName() + " type");
        }
        for (Map.Entry<String, JsonNode> one : value.properties()) {
            planning.condition();
            FilterOperator operator = FilterOperator.named(one.getKey())
                    .filter(extensions.operators(column.type())::contains)
                    .orElseThrow(() -> new GraphqlError("Input for type "
                            + column.type().filterName() + " contains extra keys [\"" + one.getKey() + "\"]"));
            parts.add(compare(column, operator, one.getValue()));
        }
    }

    private static Condition compare(EntityColumn column, FilterOperator operator, JsonNode value) {
        if (value.isNull()) {
            return new Condition.Unknown();
        }
        return switch (operator) {
            case IS ->
                switch (value.asText()) {
                    case "NULL" -> new Condition.IsNull(column, true);
                    case "NOT_NULL" -> new Condition.IsNull(column, false);
                    default -> throw new GraphqlError("Invalid input for FilterIs type");
                };
            case IN -> new Condition.In(column, elements(column.type(), value));
            case HAS_KEY -> new Condition.Compare(column, operator, InputText.of(new Scalar(ScalarType.STRING), value));
            case PATH_EXISTS -> path(column, false, value);
            case PATH_MATCHES -> path(column, true, value);
            default -> new Condition.Compare(column, operator, InputText.of(column.type(), value));
        };
    }

    private static Condition path(EntityColumn column, boolean matches, JsonNode value) {
        if (!value.isObject() || !value.path("path").isTextual()) {
            throw new GraphqlError("Invalid input for JSONPath type");
        }
        value.fieldNames().forEachRemaining(name -> {
            if (!name.equals("path") && !name.equals("variables")) {
                throw extraKey("JSONPath", name);
            }
        });
        JsonNode variables = value.path("variables");
        return new Condition.JsonPath(
                column,
                matches,
                InputText.text(value.path("path")),
                variables.isMissingNode() || variables.isNull()
                        ? Optional.empty()
                        : Optional.of(InputText.of(new Scalar(ScalarType.JSON), variables)));
    }

    private static String elements(ValueType type, JsonNode value) {
        List<String> elements = new ArrayList<>();
        for (JsonNode element : value.isArray() ? value : List.of(value)) {
            elements.add(InputText.of(type, element));
        }
        return PostgresArray.of(elements);
    }
}
