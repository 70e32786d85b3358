package svc.embedded.kubernetes.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import svc.embedded.kubernetes.json.Json;

/** JSON merge patch, RFC 7396. */
final class MergePatch {
    private MergePatch() {}

    static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode result = target.isObject() ? (ObjectNode) target.deepCopy() : Json.object();
        patch.properties().forEach(e -> {
            if (e.getValue().isNull()) {
                result.remove(e.getKey());
            } else {
                result.set(e.getKey(), apply(result.path(e.getKey()), e.getValue()));
            }
        });
        return result;
    }
}
