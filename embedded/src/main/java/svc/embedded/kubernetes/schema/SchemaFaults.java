package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The reasons to reject a schema that compiles: a default that the schema itself forbids, and a list keyed by a
 * field that its items may lack. A default is validated as written, without the defaults of the fields below it, and its
 * transition rules compare it with itself.
 */
final class SchemaFaults {
    private static final String ROOT = "spec.validation.openAPIV3Schema";

    private final List<Violation> found = new ArrayList<>();

    private SchemaFaults() {}

    /** @param openApiSchema of a version; its rules compile */
    static List<Violation> of(JsonNode openApiSchema) {
        var faults = new SchemaFaults();
        faults.visit(openApiSchema, ROOT);
        return List.copyOf(faults.found);
    }

    private void visit(JsonNode schema, String path) {
        if (schema.has("default")) {
            judgeDefault(schema, path + ".default");
        }
        schema.path("properties")
                .properties()
                .forEach(field -> visit(field.getValue(), path + ".properties[" + field.getKey() + "]"));
        if (schema.path("additionalProperties").isObject()) {
            visit(schema.get("additionalProperties"), path + ".additionalProperties");
        }
        if (schema.path("items").isObject()) {
            judgeListKeys(schema, path + ".items");
            visit(schema.get("items"), path + ".items");
        }
    }

    private void judgeDefault(JsonNode schema, String path) {
        SchemaNode node = SchemaCompiler.compile(schema);
        JsonNode value = schema.get("default");
        List<Violation> ofDefault = new ArrayList<>();
        StructuralValidation.visit(node, value, Optional.empty(), path, ofDefault);
        if (ofDefault.stream().noneMatch(Violation::blocksRules)) {
            RuleNode rules = RuleCompiler.compile(node, "default");
            Object seen = CelValues.of(node, value);
            RuleWalk.visit(rules, seen, Optional.empty(), path, ofDefault);
            // Transition rules see an unchanged value.
            RuleWalk.visit(rules, seen, Optional.of(seen), path, ofDefault);
        }
        found.addAll(ofDefault);
    }

    private void judgeListKeys(JsonNode array, String path) {
        List<String> required = new ArrayList<>();
        array.path("items").path("required").forEach(name -> required.add(name.asText()));
        for (JsonNode key : array.path("x-kubernetes-list-map-keys")) {
            String name = key.asText();
            if (!required.contains(name)
                    && !array.path("items").path("properties").path(name).has("default")) {
                found.add(new Violation(
                        path + ".properties[" + name + "].default",
                        "Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be"
                                + " a required property",
                        Violation.REQUIRED));
            }
        }
    }
}
