package svc.embedded.kubernetes.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the rules of a definition over an object. An old value is known for fields of objects, for keys of maps and for
 * items of keyed lists; elsewhere a rule that compares with it does not run, as in Kubernetes.
 */
final class RuleWalk {

    private RuleWalk() {}

    static void visit(RuleNode node, Object value, Optional<Object> old, String path, List<Violation> found) {
        boolean unchanged = old.isPresent() && old.get().equals(value);
        String typeName = node.schema().type().schemaName();
        for (Rule rule : node.rules()) {
            if (rule.runsFor(old, unchanged)) {
                rule.evaluate(value, old, typeName, path, found);
            }
        }
        if (value instanceof Map<?, ?> fields) {
            Optional<Map<?, ?>> oldFields = old.filter(Map.class::isInstance).map(known -> (Map<?, ?>) known);
            visitFields(node, fields, oldFields, path, found);
        } else if (value instanceof List<?> items && node.items().isPresent()) {
            List<?> oldItems = old.filter(List.class::isInstance)
                    .<List<?>>map(known -> (List<?>) known)
                    .orElse(List.of());
            visitItems(node, items, oldItems, path, found);
        }
    }

    private static void visitFields(
            RuleNode node, Map<?, ?> fields, Optional<Map<?, ?>> oldFields, String path, List<Violation> found) {
        node.properties()
                .forEach((name, below) -> CelNames.escape(name).ifPresent(key -> {
                    Object value = fields.get(key);
                    if (value != null) {
                        visit(
                                below,
                                value,
                                oldFields.map(known -> known.get(key)),
                                node.schema().pathOf(path, name),
                                found);
                    }
                }));
        node.values()
                .ifPresent(below -> fields.forEach((key, value) ->
                        visit(below, value, oldFields.map(known -> known.get(key)), path + "[" + key + "]", found)));
    }

    private static void visitItems(RuleNode node, List<?> items, List<?> oldItems, String path, List<Violation> found) {
        ListShape shape = node.schema().list();
        RuleNode below = node.items().orElseThrow();
        for (int i = 0; i < items.size(); i++) {
            Object item = items.get(i);
            Optional<Object> old = shape.isMap()
                    ? oldItems.stream()
                            .filter(candidate -> sameKeys(shape, candidate, item))
                            .<Object>map(candidate -> candidate)
                            .findFirst()
                    : Optional.empty();
            visit(below, item, old, path + "[" + i + "]", found);
        }
    }

    private static boolean sameKeys(ListShape shape, Object one, Object other) {
        return one instanceof Map<?, ?> a
                && other instanceof Map<?, ?> b
                && shape.keys().stream()
                        .map(key -> CelNames.escape(key).orElse(key))
                        .allMatch(key -> a.get(key) != null && a.get(key).equals(b.get(key)));
    }
}
