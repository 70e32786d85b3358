package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import svc.embedded.kubernetes.json.Json;

/** The two steps of a server-side apply on a tree: merging the configuration, and removing fields. */
final class AppliedMerge {
    private AppliedMerge() {}

    /** {@code live} with everything {@code applied} says; both stay as they are. */
    static JsonNode overlay(JsonNode live, JsonNode applied, MergeSchema schema) {
        if (live.isObject() && applied.isObject() && !schema.atomicMap()) {
            ObjectNode merged = (ObjectNode) live.deepCopy();
            applied.properties()
                    .forEach(e -> merged.set(
                            e.getKey(),
                            merged.has(e.getKey())
                                    ? overlay(merged.get(e.getKey()), e.getValue(), schema.field(e.getKey()))
                                    : e.getValue().deepCopy()));
            return merged;
        }
        if (live.isArray() && applied.isArray() && !(schema.list() instanceof MergeSchema.ListShape.Atomic)) {
            return overlayList(live, applied, schema);
        }
        return applied.deepCopy();
    }

    private static ArrayNode overlayList(JsonNode live, JsonNode applied, MergeSchema schema) {
        Map<String, JsonNode> items = new LinkedHashMap<>();
        live.forEach(item -> items.put(Elements.element(item, Elements.keys(schema)), item));
        applied.forEach(item -> items.merge(
                Elements.element(item, Elements.keys(schema)), item, (was, now) -> overlay(was, now, schema.item())));
        ArrayNode merged = Json.array();
        items.values().forEach(item -> merged.add(item.deepCopy()));
        return merged;
    }

    /**
     * Removes fields from a tree.
     *
     * @param gone the fields without an owner
     * @param kept the fields that still have an owner; their parents stay
     * @return what is left; nothing when that is an emptied map or list
     */
    static Optional<JsonNode> prune(JsonNode value, FieldSet gone, FieldSet kept, MergeSchema schema) {
        if (gone.isEmpty()) {
            return Optional.of(value);
        }
        Optional<Map<String, Elements.Part>> parts = Elements.of(value, schema);
        if (kept.isEmpty() && gone.self()) {
            return Optional.empty();
        }
        if (parts.isEmpty()) {
            return Optional.of(value);
        }
        ObjectNode map = Json.object();
        ArrayNode list = Json.array();
        parts.get()
                .forEach((element, part) -> prune(part.value(), gone.child(element), kept.child(element), part.schema())
                        .ifPresent(left -> {
                            if (value.isObject()) {
                                map.set(element.substring(2), left);
                            } else {
                                list.add(left);
                            }
                        }));
        JsonNode left = value.isObject() ? map : list;
        return left.isEmpty() && kept.isEmpty() ? Optional.empty() : Optional.of(left);
    }
}
