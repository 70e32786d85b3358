package svc.graphql.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import graphql.language.ArrayValue;
import graphql.language.BooleanValue;
import graphql.language.EnumValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.NonNullType;
import graphql.language.NullValue;
import graphql.language.ObjectField;
import graphql.language.ObjectValue;
import graphql.language.OperationDefinition;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableDefinition;
import graphql.language.VariableReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import svc.graphql.error.GraphqlError;

/**
 * The values of arguments, with variables in their places. A literal becomes the JSON value that a variable would have; an
 * enum's name becomes its text. What a variable leaves out is absent, which is not null.
 */
public final class InputValues {
    private static final JsonNodeFactory JSON = JsonNodeFactory.withExactBigDecimals(true);

    private final Map<String, JsonNode> variables = new HashMap<>();
    private final Map<String, VariableDefinition> declared = new HashMap<>();

    /**
     * The values of an operation's variables. As in pg_graphql, one that the operation does not declare has the value that the
     * request gives it.
     *
     * @throws GraphqlError for a variable that must have a value and has none
     */
    InputValues(OperationDefinition operation, Map<String, JsonNode> given) {
        variables.putAll(given);
        for (VariableDefinition definition : operation.getVariableDefinitions()) {
            String name = definition.getName();
            if (declared.put(name, definition) != null) {
                throw new GraphqlError("Variable \"$" + name + "\" is defined more than once");
            }
            JsonNode value = given.get(name);
            if (value == null && definition.getDefaultValue() != null) {
                value = literal(definition.getDefaultValue());
            }
            boolean required = definition.getType() instanceof NonNullType;
            if (required && (value == null || value.isNull())) {
                throw new GraphqlError("Variable \"$" + name + "\" must have a value");
            }
            if (value != null) {
                variables.put(name, value);
            }
        }
    }

    /** The variables that have a value. */
    Map<String, JsonNode> variables() {
        return Map.copyOf(variables);
    }

    /** The value of a variable; null without one. */
    JsonNode ofVariable(String name) {
        return variables.get(name);
    }

    /** Empty for a variable without a value. */
    Optional<JsonNode> resolve(Value<?> value) {
        if (value instanceof VariableReference reference) {
            String name = reference.getName();
            if (!declared.containsKey(name) && !variables.containsKey(name)) {
                throw new GraphqlError("Variable \"$" + name + "\" is not defined");
            }
            return Optional.ofNullable(variables.get(name));
        }
        return Optional.of(literal(value));
    }

    private JsonNode literal(Value<?> value) {
        return switch (value) {
            case StringValue text -> JSON.textNode(text.getValue());
            case IntValue number -> JSON.numberNode(number.getValue());
            case FloatValue number -> JSON.numberNode(number.getValue());
            case BooleanValue truth -> JSON.booleanNode(truth.isValue());
            case EnumValue name -> JSON.textNode(name.getName());
            case NullValue unused -> NullNode.getInstance();
            case ArrayValue list -> list(list);
            case ObjectValue object -> object(object);
            case VariableReference reference -> resolve(reference).orElseGet(NullNode::getInstance);
            default -> throw new GraphqlError("unsupported value");
        };
    }

    /** An element whose variable has no value is null. */
    private ArrayNode list(ArrayValue list) {
        ArrayNode array = JSON.arrayNode();
        list.getValues().forEach(element -> array.add(literal(element)));
        return array;
    }

    private ObjectNode object(ObjectValue object) {
        ObjectNode fields = JSON.objectNode();
        for (ObjectField field : object.getObjectFields()) {
            if (fields.has(field.getName())) {
                throw new GraphqlError("Input field \"" + field.getName() + "\" is given more than once");
            }
            resolve(field.getValue()).ifPresent(value -> fields.set(field.getName(), value));
        }
        return fields;
    }
}
