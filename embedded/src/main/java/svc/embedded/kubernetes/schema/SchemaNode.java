package svc.embedded.kubernetes.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One node of a structural schema, compiled.
 *
 * @param properties the declared fields of an object, by name
 * @param values the schema of undeclared fields ({@code additionalProperties}), if they may exist
 * @param items the schema of an array's items
 * @param format the declared format, empty if none; the rules see some formats as types of their own
 * @param rules the {@code x-kubernetes-validations} as declared; {@link RuleCompiler} compiles them
 */
record SchemaNode(
        JsonType type,
        String format,
        boolean nullable,
        boolean preservesUnknown,
        Map<String, SchemaNode> properties,
        Optional<SchemaNode> values,
        Optional<SchemaNode> items,
        Optional<JsonNode> defaultValue,
        ListShape list,
        List<ValueCheck> checks,
        List<JsonNode> rules) {

    /** The schema of one field of an object, if there is one: declared by name, or by the schema of all others. */
    Optional<SchemaNode> field(String name) {
        SchemaNode declared = properties.get(name);
        return declared == null ? values : Optional.of(declared);
    }

    /** The path of one field: a declared one by a dot, a key of a map in brackets. */
    String pathOf(String parent, String name) {
        if (properties.containsKey(name)) {
            return parent.isEmpty() ? name : parent + "." + name;
        }
        return parent + "[" + name + "]";
    }
}
