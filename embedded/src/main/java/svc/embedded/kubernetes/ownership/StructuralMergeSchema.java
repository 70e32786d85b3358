package svc.embedded.kubernetes.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import svc.embedded.kubernetes.json.Json;

/** How a custom resource is merged: its schema's {@code x-kubernetes-list-type}, {@code -list-map-keys}, {@code -map-type}. */
public record StructuralMergeSchema(JsonNode schema, boolean root) implements MergeSchema {
    /** The place of a whole object. */
    public static MergeSchema of(JsonNode openApiSchema) {
        return new StructuralMergeSchema(openApiSchema, true);
    }

    @Override
    public MergeSchema field(String name) {
        if (root && name.equals("metadata")) {
            return CoreMergeSchema.ROOT.field(name);
        }
        JsonNode property = schema.path("properties").path(name);
        return new StructuralMergeSchema(
                property.isMissingNode() ? schema.path("additionalProperties") : property, false);
    }

    @Override
    public MergeSchema item() {
        return new StructuralMergeSchema(schema.path("items"), false);
    }

    @Override
    public ListShape list() {
        return switch (schema.path("x-kubernetes-list-type").asText("atomic")) {
            case "map" -> new ListShape.Keyed(keys());
            case "set" -> new ListShape.Set();
            default -> new ListShape.Atomic();
        };
    }

    @Override
    public boolean atomicMap() {
        return schema.path("x-kubernetes-map-type").asText().equals("atomic");
    }

    private List<Key> keys() {
        return Json.texts(schema.path("x-kubernetes-list-map-keys")).stream()
                .map(key -> new Key(
                        key,
                        schema.path("items")
                                .path("properties")
                                .path(key)
                                .path("default")
                                .asText("")))
                .toList();
    }
}
