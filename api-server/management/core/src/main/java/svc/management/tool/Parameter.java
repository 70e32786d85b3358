package svc.management.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * A parameter of a tool.
 *
 * @param allowed the only values of a text; empty for any
 */
public record Parameter(String name, Kind kind, String description, boolean required, List<String> allowed) {
    /** The type of its value. */
    public enum Kind {
        TEXT,
        FLAG,
        NUMBER,
        DECIMAL,
        TEXTS,
        /** An object whose members the tool checks. */
        OBJECT,
        /** Objects with {@code name} and {@code content}. */
        FILES
    }

    public Parameter {
        allowed = List.copyOf(allowed);
    }

    public static Parameter required(String name, Kind kind, String description) {
        return new Parameter(name, kind, description, true, List.of());
    }

    public static Parameter optional(String name, Kind kind, String description) {
        return new Parameter(name, kind, description, false, List.of());
    }

    public static Parameter oneOf(String name, String description, List<String> allowed) {
        return new Parameter(name, Kind.TEXT, description, true, allowed);
    }

    /** Its JSON Schema. */
    ObjectNode schema() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        switch (kind) {
            case TEXT -> schema.put("type", "string");
            case FLAG -> schema.put("type", "boolean");
            case NUMBER -> schema.put("type", "integer");
            case DECIMAL -> schema.put("type", "number");
            case TEXTS -> schema.put("type", "array").putObject("items").put("type", "string");
            case OBJECT -> schema.put("type", "object");
            case FILES -> {
                ObjectNode file = schema.put("type", "array").putObject("items").put("type", "object");
                ObjectNode fields = file.putObject("properties");
                fields.putObject("name").put("type", "string");
                fields.putObject("content").put("type", "string");
                file.putArray("required").add("name").add("content");
                file.put("additionalProperties", false);
            }
        }
        if (!allowed.isEmpty()) {
            allowed.forEach(schema.putArray("enum")::add);
        }
        return schema.put("description", description);
    }

    /** Whether a value is of its type. */
    boolean accepts(JsonNode value) {
        return switch (kind) {
            case TEXT -> value.isTextual() && (allowed.isEmpty() || allowed.contains(value.asText()));
            case FLAG -> value.isBoolean();
            case NUMBER -> value.isIntegralNumber() && value.canConvertToInt();
            case DECIMAL -> value.isNumber();
            case TEXTS -> value.isArray() && all(value, JsonNode::isTextual);
            case OBJECT -> value.isObject();
            case FILES -> value.isArray() && all(value, Parameter::isFile);
        };
    }

    private static boolean all(JsonNode array, Predicate<JsonNode> rule) {
        return StreamSupport.stream(array.spliterator(), false).allMatch(rule);
    }

    private static boolean isFile(JsonNode file) {
        return file.size() == 2
                && file.path("name").isTextual()
                && file.path("content").isTextual();
    }

    /** What its value has to be, for an error message. */
    String rule() {
        String type = switch (kind) {
            case TEXT -> "a string";
            case FLAG -> "true or false";
            case NUMBER -> "an integer";
            case DECIMAL -> "a number";
            case TEXTS -> "an array of strings";
            case OBJECT -> "an object";
            case FILES -> "an array of objects with name and content";
        };
        return allowed.isEmpty() ? type : "one of " + String.join(", ", allowed);
    }
}
