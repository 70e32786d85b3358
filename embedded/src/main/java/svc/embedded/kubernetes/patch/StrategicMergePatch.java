package svc.embedded.kubernetes.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import svc.embedded.kubernetes.json.Json;
import svc.embedded.kubernetes.ownership.MergeSchema;

/**
 * Strategic merge patch of the built-in kinds: lists of maps are merged by their first merge key, sets are joined, and
 * the directives {@code $patch}, {@code $retainKeys}, {@code $deleteFromPrimitiveList} and
 * {@code $setElementOrder} are obeyed.
 */
final class StrategicMergePatch {
    private static final String DIRECTIVE = "$patch";
    private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";
    private static final String RETAIN = "$retainKeys";

    private StrategicMergePatch() {}

    static JsonNode apply(JsonNode target, JsonNode patch, MergeSchema schema) {
        if (patch.isArray()) {
            return applyList(target, patch, schema);
        }
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        if (patch.path(DIRECTIVE).asText().equals("replace")) {
            ObjectNode replacement = (ObjectNode) patch.deepCopy();
            replacement.remove(DIRECTIVE);
            return replacement;
        }
        ObjectNode result = target.isObject() ? (ObjectNode) target.deepCopy() : Json.object();
        if (patch.has(RETAIN)) {
            result.retain(Json.texts(patch.path(RETAIN)));
        }
        patch.properties().forEach(e -> applyField(result, e.getKey(), e.getValue(), schema));
        patch.properties().forEach(e -> {
            if (e.getKey().startsWith(ORDER)) {
                String field = e.getKey().substring(ORDER.length());
                order(result, field, e.getValue(), schema.field(field));
            }
        });
        return result;
    }

    private static void applyField(ObjectNode result, String field, JsonNode value, MergeSchema schema) {
        if (field.startsWith(DELETE_PRIMITIVES)) {
            deletePrimitives(result, field.substring(DELETE_PRIMITIVES.length()), value);
        } else if (value.isNull() || value.path(DIRECTIVE).asText().equals("delete")) {
            result.remove(field);
        } else if (!field.startsWith("$")) {
            result.set(field, apply(result.path(field), value, schema.field(field)));
        }
    }

    private static JsonNode applyList(JsonNode target, JsonNode patch, MergeSchema schema) {
        return switch (schema.list()) {
            case MergeSchema.ListShape.Atomic atomic -> patch.deepCopy();
            case MergeSchema.ListShape.Set set -> union(target, patch);
            case MergeSchema.ListShape.Keyed keyed ->
                mergeByKey(target, patch, keyed.keys().getFirst().name(), schema.item());
        };
    }

    private static ArrayNode union(JsonNode target, JsonNode patch) {
        ArrayNode result = Json.array();
        Set<JsonNode> seen = new HashSet<>();
        target.forEach(item -> addOnce(result, seen, item));
        patch.forEach(item -> addOnce(result, seen, item));
        return result;
    }

    private static void addOnce(ArrayNode result, Set<JsonNode> seen, JsonNode item) {
        if (seen.add(item)) {
            result.add(item);
        }
    }

    private static ArrayNode mergeByKey(JsonNode target, JsonNode patch, String key, MergeSchema item) {
        List<JsonNode> items = new ArrayList<>();
        boolean replacesAll = false;
        for (JsonNode entry : patch) {
            replacesAll |= entry.path(DIRECTIVE).asText().equals("replace");
        }
        if (!replacesAll) {
            target.forEach(items::add);
        }
        for (JsonNode entry : patch) {
            String directive = entry.path(DIRECTIVE).asText();
            int at = indexOf(items, key, entry.path(key));
            if (directive.equals("delete")) {
                items.removeIf(candidate -> candidate.path(key).equals(entry.path(key)));
            } else if (!directive.isEmpty()) {
                continue;
            } else if (at < 0) {
                items.add(apply(Json.object(), entry, item));
            } else {
                items.set(at, apply(items.get(at), entry, item));
            }
        }
        ArrayNode result = Json.array();
        items.forEach(result::add);
        return result;
    }

    private static int indexOf(List<JsonNode> items, String key, JsonNode value) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).path(key).equals(value)) {
                return i;
            }
        }
        return -1;
    }

    private static void deletePrimitives(ObjectNode result, String field, JsonNode values) {
        if (result.get(field) instanceof ArrayNode list) {
            Set<JsonNode> gone = new HashSet<>();
            values.forEach(gone::add);
            ArrayNode left = Json.array();
            list.forEach(item -> {
                if (!gone.contains(item)) {
                    left.add(item);
                }
            });
            result.set(field, left);
        }
    }

    // Items that the order does not name stay behind those it names, in the order they had.
    private static void order(ObjectNode result, String field, JsonNode order, MergeSchema schema) {
        if (!(result.get(field) instanceof ArrayNode list)) {
            return;
        }
        List<JsonNode> rest = new ArrayList<>();
        list.forEach(rest::add);
        ArrayNode sorted = Json.array();
        for (JsonNode wanted : order) {
            int at = schema.list() instanceof MergeSchema.ListShape.Keyed keyed
                    ? indexOf(
                            rest,
                            keyed.keys().getFirst().name(),
                            wanted.path(keyed.keys().getFirst().name()))
                    : rest.indexOf(wanted);
            if (at >= 0) {
                sorted.add(rest.remove(at));
            }
        }
        rest.forEach(sorted::add);
        result.set(field, sorted);
    }
}
