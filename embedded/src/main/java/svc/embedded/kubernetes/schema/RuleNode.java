package svc.embedded.kubernetes.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a schema that contains rules: a walk skips the rest.
 *
 * @param schema the node the rules belong to
 * @param properties the declared fields that have rules in them
 */
record RuleNode(
        SchemaNode schema,
        List<Rule> rules,
        Map<String, RuleNode> properties,
        Optional<RuleNode> values,
        Optional<RuleNode> items) {

    boolean isBare() {
        return rules.isEmpty() && properties.isEmpty() && values.isEmpty() && items.isEmpty();
    }
}
