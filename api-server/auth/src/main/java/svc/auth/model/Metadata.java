package svc.auth.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a project keeps about a user: new members replace old ones, null takes one away. */
public final class Metadata {
    private Metadata() {}

    public static ObjectNode merged(JsonNode before, ObjectNode change) {
        ObjectNode merged =
                before instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        change.properties().forEach(member -> {
            if (member.getValue().isNull()) {
                merged.remove(member.getKey());
            } else {
                merged.set(member.getKey(), member.getValue());
            }
        });
        return merged;
    }
}
