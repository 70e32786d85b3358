package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of a query: decides whether a column that it names is one of the catalog. */
final class CatalogScope {
    private final CatalogReads reads;
    private final CatalogScope outer;
    private final JsonNode query;
    private Map<String, Boolean> sources;

    private CatalogScope(CatalogReads reads, CatalogScope outer, JsonNode query) {
        this.reads = reads;
        this.outer = outer;
        this.query = query;
    }

    /** Around a whole statement. */
    static CatalogScope outermost(JsonNode tree) {
        return new CatalogScope(new CatalogReads(tree), null, MissingNode.getInstance());
    }

    /** The scope of what is inside of a node. */
    CatalogScope inside(JsonNode node) {
        return node.has("fromClause") || node.has("usingClause") || node.has("withClause")
                ? new CatalogScope(reads, this, node)
                : this;
    }

    /** @param fields the parts of a column's name */
    boolean isCatalogColumn(List<String> fields) {
        if (fields.size() > 2) {
            return CatalogReads.isCatalog(fields.get(fields.size() - 3));
        }
        for (CatalogScope scope = this; scope != null; scope = scope.outer) {
            Map<String, Boolean> known = scope.sources();
            if (fields.size() == 1 && !known.isEmpty()) {
                return known.containsValue(true);
            }
            if (fields.size() == 2 && known.containsKey(fields.getFirst())) {
                return known.get(fields.getFirst());
            }
        }
        return false;
    }

    /** The tables of the query itself by the names they have in it. */
    private Map<String, Boolean> sources() {
        if (sources == null) {
            sources = new HashMap<>();
            Deque<JsonNode> open = new ArrayDeque<>();
            query.path("fromClause").forEach(open::push);
            query.path("usingClause").forEach(open::push);
            while (!open.isEmpty()) {
                source(open.pop(), open);
            }
        }
        return sources;
    }

    private void source(JsonNode item, Deque<JsonNode> open) {
        JsonNode join = item.path("JoinExpr");
        if (!join.isMissingNode()) {
            open.push(join.path("larg"));
            open.push(join.path("rarg"));
            return;
        }
        JsonNode table = item.path("RangeVar");
        JsonNode subquery = item.path("RangeSubselect");
        if (!table.isMissingNode()) {
            sources.put(alias(table, table.path("relname").asText()), isCatalog(table));
        } else if (!subquery.isMissingNode()) {
            sources.put(alias(subquery, ""), reads.in(subquery.path("subquery")));
        } else {
            sources.put(alias(item.path("RangeFunction"), ""), false);
        }
    }

    private static String alias(JsonNode source, String otherwise) {
        return source.path("alias").path("aliasname").asText(otherwise);
    }

    private boolean isCatalog(JsonNode table) {
        String name = table.path("relname").asText();
        if (table.has("schemaname")) {
            return CatalogReads.isCatalog(table.get("schemaname").asText());
        }
        for (CatalogScope scope = this; scope != null; scope = scope.outer) {
            for (JsonNode part : scope.query.path("withClause").path("ctes")) {
                JsonNode with = part.path("CommonTableExpr");
                if (with.path("ctename").asText().equals(name)) {
                    return reads.in(with.path("ctequery"));
                }
            }
        }
        return SupabaseAliases.isCatalogRelation(name);
    }
}
