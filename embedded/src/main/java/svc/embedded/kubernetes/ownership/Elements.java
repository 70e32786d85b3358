package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import svc.embedded.kubernetes.json.Json;

/** The elements of a value with owners of their own, named as in {@link FieldSet}. */
final class Elements {
    private Elements() {}

    /** One part: its value, and what is known of its place. */
    record Part(JsonNode value, MergeSchema schema) {}

    /** The parts of a map or an associative list in their order; nothing for a value that has one owner as a whole. */
    static Optional<Map<String, Part>> of(JsonNode value, MergeSchema schema) {
        if (value.isObject() && !schema.atomicMap() && !value.isEmpty()) {
            Map<String, Part> parts = new LinkedHashMap<>();
            value.properties()
                    .forEach(e -> parts.put("f:" + e.getKey(), new Part(e.getValue(), schema.field(e.getKey()))));
            return Optional.of(parts);
        }
        if (!value.isArray() || value.isEmpty()) {
            return Optional.empty();
        }
        return switch (schema.list()) {
            case MergeSchema.ListShape.Atomic atomic -> Optional.empty();
            case MergeSchema.ListShape.Set set -> Optional.of(ofList(value, schema, List.of()));
            case MergeSchema.ListShape.Keyed keyed -> Optional.of(ofList(value, schema, keyed.keys()));
        };
    }

    // Duplicate keys: the last item wins; schema validation rejects such an object anyway.
    private static Map<String, Part> ofList(JsonNode list, MergeSchema schema, List<MergeSchema.Key> keys) {
        Map<String, Part> parts = new LinkedHashMap<>();
        list.forEach(item -> parts.put(element(item, keys), new Part(item, schema.item())));
        return parts;
    }

    /** The name of a list's item: its keys, or itself when the list is a set. */
    static String element(JsonNode item, List<MergeSchema.Key> keys) {
        if (keys.isEmpty()) {
            return "v:" + item;
        }
        ObjectNode named = Json.object();
        for (MergeSchema.Key key : keys) {
            JsonNode value = item.path(key.name());
            if (!value.isMissingNode()) {
                named.set(key.name(), value);
            } else if (!key.fallback().isEmpty()) {
                named.put(key.name(), key.fallback());
            }
        }
        return "k:" + named;
    }

    static List<MergeSchema.Key> keys(MergeSchema schema) {
        return schema.list() instanceof MergeSchema.ListShape.Keyed keyed ? keyed.keys() : List.of();
    }
}
