package svc.embedded.kubernetes.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import svc.embedded.kubernetes.json.Json;

/**
 * One column of a Table.
 *
 * @param priority 0 is always shown, 1 with {@code -o wide}
 */
public record Column(String name, String type, String format, String description, int priority, Cell cell) {
    /** The value of one row. */
    public interface Cell {
        JsonNode of(JsonNode object, Instant now);
    }

    static Column text(String name, Function<JsonNode, String> value) {
        return new Column(
                name, "string", "", name, 0, (object, now) -> JsonNodeFactory.instance.textNode(value.apply(object)));
    }

    static Column number(String name, Function<JsonNode, Integer> value) {
        return new Column(
                name,
                "integer",
                "",
                name,
                0,
                (object, now) -> JsonNodeFactory.instance.numberNode(value.apply(object)));
    }

    static Column age(String name, Function<JsonNode, String> timestamp) {
        return new Column(
                name,
                "string",
                "",
                name,
                0,
                (object, now) -> JsonNodeFactory.instance.textNode(Age.of(timestamp.apply(object), now)));
    }

    Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }

    /** A column of {@code additionalPrinterColumns}.
     *
     * @throws IllegalArgumentException when its jsonPath is not understood */
    static Column declared(JsonNode declaration) {
        JsonPath path = JsonPath.parse(declaration.path("jsonPath").asText());
        String type = declaration.path("type").asText("string");
        return new Column(
                declaration.path("name").asText(),
                type,
                declaration.path("format").asText(""),
                declaration.path("description").asText(""),
                declaration.path("priority").asInt(0),
                (object, now) -> declaredCell(path.find(object), type, now));
    }

    private static JsonNode declaredCell(List<JsonNode> found, String type, Instant now) {
        if (found.isEmpty()) {
            return NullNode.getInstance();
        }
        JsonNode first = found.getFirst();
        return switch (type) {
            case "date" -> JsonNodeFactory.instance.textNode(Age.of(first.asText(), now));
            case "integer", "number", "boolean" -> first;
            default -> JsonNodeFactory.instance.textNode(first.isValueNode() ? first.asText() : first.toString());
        };
    }

    ObjectNode definition() {
        return Json.object()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", priority);
    }
}
