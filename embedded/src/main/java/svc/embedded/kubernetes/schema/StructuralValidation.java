package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Walks an object along its schema. Ratcheting: an unchanged part is not validated again, so an object that was stored
 * before a schema became stricter can still be changed elsewhere, for example to remove a finalizer.
 */
final class StructuralValidation {

    private StructuralValidation() {}

    static void visit(SchemaNode schema, JsonNode value, Optional<JsonNode> old, String path, List<Violation> found) {
        if (old.isPresent() && old.get().equals(value)) {
            return;
        }
        if (value.isNull() && schema.nullable()) {
            return;
        }
        if ((value.isNull() && schema.type() != JsonType.ANY) || !schema.type().accepts(value)) {
            String actual = "\"" + JsonType.nameOf(value) + "\"";
            found.add(Violation.wrongType(
                    path,
                    actual,
                    path + " in body must be of type " + schema.type().schemaName() + ": " + actual));
            return;
        }
        schema.checks().forEach(check -> check.check(value, path, found));
        if (value.isObject()) {
            value.properties()
                    .forEach(field -> schema.field(field.getKey())
                            .ifPresent(declared -> visit(
                                    declared,
                                    field.getValue(),
                                    old.map(o -> o.get(field.getKey())),
                                    schema.pathOf(path, field.getKey()),
                                    found)));
        } else if (value.isArray() && schema.items().isPresent()) {
            visitItems(schema, value, old, path, found);
        }
    }

    private static void visitItems(
            SchemaNode schema, JsonNode array, Optional<JsonNode> old, String path, List<Violation> found) {
        Map<JsonNode, JsonNode> oldItems = new HashMap<>();
        if (schema.list().isMap()) {
            old.ifPresent(
                    items -> items.forEach(item -> oldItems.put(schema.list().identity(item), item)));
        }
        SchemaNode itemSchema = schema.items().orElseThrow();
        for (int i = 0; i < array.size(); i++) {
            JsonNode item = array.get(i);
            Optional<JsonNode> oldItem =
                    Optional.ofNullable(oldItems.get(schema.list().identity(item)));
            visit(itemSchema, item, oldItem, path + "[" + i + "]", found);
        }
    }
}
