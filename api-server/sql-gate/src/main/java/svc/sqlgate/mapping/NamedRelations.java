package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** The tables that a statement names with their schemas. Found in one pass, and only for statements that ask. */
final class NamedRelations {
    private final JsonNode tree;
    private Set<Named> found;

    private record Named(String schema, String relation) {}

    NamedRelations(JsonNode tree) {
        this.tree = tree;
    }

    boolean contain(String schema, String relation) {
        if (found == null) {
            found = find();
        }
        return found.contains(new Named(schema, relation));
    }

    private Set<Named> find() {
        Set<Named> named = new HashSet<>();
        Deque<JsonNode> open = new ArrayDeque<>();
        open.push(tree);
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            if (node.has("relname") && node.has("schemaname")) {
                named.add(new Named(
                        node.get("schemaname").asText(), node.get("relname").asText()));
            }
            for (JsonNode child : node) {
                if (child.isContainerNode()) {
                    open.push(child);
                }
            }
        }
        return named;
    }
}
