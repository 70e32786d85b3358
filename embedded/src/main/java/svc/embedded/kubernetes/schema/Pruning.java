package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Removes the fields that a schema does not declare, and collects their paths. */
final class Pruning {

    private Pruning() {}

    /** Changes {@code value} in place. */
    static void prune(SchemaNode schema, JsonNode value, String path, List<String> removed) {
        if (value instanceof ObjectNode object) {
            for (String name : fieldNames(object)) {
                schema.field(name)
                        .ifPresentOrElse(
                                declared -> prune(declared, object.get(name), schema.pathOf(path, name), removed),
                                () -> removeUnknown(schema, object, name, path, removed));
            }
        } else if (value.isArray()) {
            schema.items().ifPresent(items -> {
                for (int i = 0; i < value.size(); i++) {
                    prune(items, value.get(i), path + "[" + i + "]", removed);
                }
            });
        }
    }

    private static void removeUnknown(
            SchemaNode schema, ObjectNode object, String name, String path, List<String> removed) {
        if (!schema.preservesUnknown()) {
            object.remove(name);
            removed.add(path.isEmpty() ? name : path + "." + name);
        }
    }

    private static List<String> fieldNames(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
