package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import svc.database.shared.CatalogViews;

/** Which parts of a tree read the catalog. Found in one pass, and only for trees that ask. */
final class CatalogReads {
    private static final Set<String> SCHEMAS =
            Set.of("pg_catalog", "information_schema", CatalogViews.SCHEMA, CatalogViews.INFORMATION_SCHEMA);

    private static final int MAX_LOOK_UPS = 100_000;

    private final JsonNode tree;
    private Set<JsonNode> reading;
    private int lookUps;

    CatalogReads(JsonNode tree) {
        this.tree = tree;
    }

    static boolean isCatalog(String schema) {
        return SCHEMAS.contains(schema);
    }

    /** Whether a relation of the catalog is read anywhere in a part of the tree. */
    boolean in(JsonNode part) {
        if (reading == null) {
            reading = Collections.newSetFromMap(new IdentityHashMap<>());
            find();
        }
        return reading.contains(part);
    }

    /** Whether one more column may be looked for: what a script makes us compute is bounded, whatever its queries. */
    boolean lookUp() {
        return lookUps++ < MAX_LOOK_UPS;
    }

    /** A node and the way up from it. */
    private record Visit(JsonNode node, Visit above) {}

    private void find() {
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(tree, null));
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            if (isCatalogRelation(visit.node())) {
                // Whatever is above a marked node is marked already.
                for (Visit at = visit; at != null && reading.add(at.node()); at = at.above()) {
                    continue;
                }
            }
            for (JsonNode child : visit.node()) {
                if (child.isContainerNode()) {
                    open.push(new Visit(child, visit));
                }
            }
        }
    }

    private static boolean isCatalogRelation(JsonNode node) {
        if (!node.has("relname")) {
            return false;
        }
        return node.has("schemaname")
                ? isCatalog(node.get("schemaname").asText())
                : SupabaseAliases.isCatalogRelation(node.get("relname").asText());
    }
}
