package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** The type a schema declares for a value. {@link #ANY} is a schema that declares none. */
enum JsonType {
    OBJECT,
    ARRAY,
    STRING,
    INTEGER,
    NUMBER,
    BOOLEAN,
    INT_OR_STRING,
    ANY;

    static JsonType declaredBy(JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return INT_OR_STRING;
        }
        String type = schema.path("type").asText("");
        return type.isEmpty() ? ANY : valueOf(type.toUpperCase(Locale.ROOT));
    }

    boolean accepts(JsonNode value) {
        return switch (this) {
            case OBJECT -> value.isObject();
            case ARRAY -> value.isArray();
            case STRING -> value.isTextual();
            case INTEGER -> isInteger(value);
            case NUMBER -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
            case INT_OR_STRING -> value.isTextual() || isInteger(value);
            case ANY -> true;
        };
    }

    /** The name in messages, such as {@code integer}. */
    String schemaName() {
        return this == INT_OR_STRING ? "integer,string" : name().toLowerCase(Locale.ROOT);
    }

    /** The name of the type a value has, as messages call it. */
    static String nameOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case NUMBER -> isInteger(value) ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
        };
    }

    /** JSON has one kind of number: 3.0 is an integer, as it is to an API server. */
    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber()
                || (value.isNumber()
                        && value.decimalValue().stripTrailingZeros().scale() <= 0);
    }
}
