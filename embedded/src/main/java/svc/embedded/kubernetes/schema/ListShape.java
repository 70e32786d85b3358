package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code x-kubernetes-list-type} says about an array: which items must differ, and how items are
 * matched with those of the stored object.
 */
record ListShape(Kind kind, List<String> keys) {

    enum Kind {
        ATOMIC,
        SET,
        MAP
    }

    static ListShape declaredBy(JsonNode schema) {
        List<String> keys = new ArrayList<>();
        schema.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
        return switch (schema.path("x-kubernetes-list-type").asText("atomic")) {
            case "map" -> new ListShape(Kind.MAP, List.copyOf(keys));
            case "set" -> new ListShape(Kind.SET, List.of());
            default -> new ListShape(Kind.ATOMIC, List.of());
        };
    }

    /** The identity of an item: its key fields in a map, else the whole item. */
    JsonNode identity(JsonNode item) {
        if (kind != Kind.MAP || !item.isObject()) {
            return item;
        }
        ObjectNode identity = JsonNodeFactory.instance.objectNode();
        keys.forEach(key -> identity.set(key, item.path(key)));
        return identity;
    }

    boolean isMap() {
        return kind == Kind.MAP;
    }
}
