package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the schema's defaults into an object. A null in a field that is not nullable counts as absent: it is replaced
 * by the default or removed.
 */
final class Defaulting {

    private Defaulting() {}

    /** Changes {@code value} in place. */
    static void apply(SchemaNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            removeNulls(schema, object);
            schema.properties().forEach((name, declared) -> {
                if (!object.has(name)) {
                    declared.defaultValue().ifPresent(byDefault -> object.set(name, byDefault.deepCopy()));
                }
            });
            object.properties()
                    .forEach(field ->
                            schema.field(field.getKey()).ifPresent(declared -> apply(declared, field.getValue())));
        } else if (value.isArray()) {
            schema.items().ifPresent(items -> value.forEach(item -> apply(items, item)));
        }
    }

    private static void removeNulls(SchemaNode schema, ObjectNode object) {
        List<String> absent = new ArrayList<>();
        object.properties().forEach(field -> {
            boolean nullable = schema.field(field.getKey())
                    .map(declared -> declared.nullable() || declared.type() == JsonType.ANY)
                    .orElse(true);
            if (field.getValue().isNull() && !nullable) {
                absent.add(field.getKey());
            }
        });
        object.remove(absent);
    }
}
