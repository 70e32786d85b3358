package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiles an {@code openAPIV3Schema} into {@link SchemaNode}s. Does not compile rules. */
final class SchemaCompiler {

    /** The schema of a value without a declared schema. */
    static final SchemaNode UNTYPED = compile(JsonNodeFactory.instance.objectNode());

    private SchemaCompiler() {}

    /**
     * The schema of a whole resource. Type and object metadata are the API server's own business and not the
     * definition's: they are kept whatever the definition says of them, and rules see only two fields of metadata.
     */
    static SchemaNode compileResource(JsonNode openApiSchema) {
        ObjectNode resource = openApiSchema.deepCopy();
        ObjectNode properties = resource.withObjectProperty("properties");
        properties.set("apiVersion", typed("string"));
        properties.set("kind", typed("string"));
        ObjectNode metadata = typed("object");
        metadata.put("x-kubernetes-preserve-unknown-fields", true);
        metadata.withObjectProperty("properties")
                .<ObjectNode>set("name", typed("string"))
                .<ObjectNode>set("generateName", typed("string"));
        properties.set("metadata", metadata);
        return compile(resource);
    }

    static SchemaNode compile(JsonNode schema) {
        Map<String, SchemaNode> properties = new LinkedHashMap<>();
        schema.path("properties")
                .properties()
                .forEach(field -> properties.put(field.getKey(), compile(field.getValue())));
        List<JsonNode> rules = new ArrayList<>();
        schema.path("x-kubernetes-validations").forEach(rules::add);
        return new SchemaNode(
                JsonType.declaredBy(schema),
                schema.path("format").asText(""),
                schema.path("nullable").asBoolean(),
                schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()
                        || schema.path("additionalProperties").asBoolean(),
                properties,
                subSchema(schema, "additionalProperties"),
                subSchema(schema, "items"),
                Optional.ofNullable(schema.get("default")),
                ListShape.declaredBy(schema),
                Keywords.checksOf(schema),
                List.copyOf(rules));
    }

    private static Optional<SchemaNode> subSchema(JsonNode schema, String keyword) {
        return Optional.ofNullable(schema.get(keyword))
                .filter(JsonNode::isObject)
                .map(SchemaCompiler::compile);
    }

    private static ObjectNode typed(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type);
    }
}
