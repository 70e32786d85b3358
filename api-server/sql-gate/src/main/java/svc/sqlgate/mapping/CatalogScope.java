package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of a query: decides whether a column that it names is one of the catalog, under its own name or another. */
final class CatalogScope {
    private final CatalogReads reads;
    private final CatalogScope outer;
    private final JsonNode query;
    private final int parts;
    private Map<String, Source> sources;

    /** @param parts how many queries of the WITH clause, from the first on, can be named in it */
    private CatalogScope(CatalogReads reads, CatalogScope outer, JsonNode query, int parts) {
        this.reads = reads;
        this.outer = outer;
        this.query = query;
        this.parts = parts;
    }

    /** A table of a query. */
    private sealed interface Source {}

    private record Table(boolean catalog) implements Source {}

    /**
     * A subquery, or a query in a WITH clause.
     *
     * @param wrapped with the name of its kind around it
     * @param renamed whether its columns get other names by their places
     * @param scope around it
     */
    private record Query(JsonNode wrapped, boolean renamed, CatalogScope scope) implements Source {}

    /**
     * What a column of a subquery or of a query in a WITH clause stands for.
     *
     * @param scope in which the expression is read
     */
    record Origin(JsonNode expression, CatalogScope scope) {}

    /** Around a whole statement. */
    static CatalogScope outermost(JsonNode tree) {
        return new CatalogScope(new CatalogReads(tree), null, MissingNode.getInstance(), 0);
    }

    /** The scope of what is inside of a node. */
    CatalogScope inside(JsonNode node) {
        return node.has("fromClause") || node.has("usingClause") || node.has("withClause")
                ? new CatalogScope(
                        reads, this, node, node.path("withClause").path("ctes").size())
                : this;
    }

    /** @param fields the parts of a column's name */
    boolean isCatalogColumn(List<String> fields) {
        if (fields.size() > 2) {
            return CatalogReads.isCatalog(fields.get(fields.size() - 3));
        }
        return candidates(fields).stream().anyMatch(source -> switch (source) {
            case Table table -> table.catalog();
            case Query inner -> reads.in(inner.wrapped());
        });
    }

    /**
     * The expression to which a query in FROM or WITH gave a column's name. Empty for a table's column, for one that comes by a star or
     * from a UNION, and where the columns of the query are renamed as a whole.
     *
     * @param fields the parts of the column's name
     */
    Optional<Origin> renamed(List<String> fields) {
        if (fields.size() > 2) {
            return Optional.empty();
        }
        for (Source source : candidates(fields)) {
            Optional<Origin> origin = target(source, fields.getLast());
            if (origin.isPresent() || !reads.lookUp()) {
                return origin;
            }
        }
        return Optional.empty();
    }

    /** The tables that a column may be of. */
    private Collection<Source> candidates(List<String> fields) {
        for (CatalogScope scope = this; scope != null; scope = scope.outer) {
            Map<String, Source> known = scope.sources();
            if (fields.size() == 1 && !known.isEmpty()) {
                return known.values();
            }
            if (fields.size() == 2 && known.containsKey(fields.getFirst())) {
                return List.of(known.get(fields.getFirst()));
            }
        }
        return List.of();
    }

    private Optional<Origin> target(Source source, String column) {
        if (!(source instanceof Query inner) || inner.renamed()) {
            return Optional.empty();
        }
        JsonNode select = inner.wrapped().path("SelectStmt");
        for (JsonNode element : select.path("targetList")) {
            JsonNode target = element.path("ResTarget");
            if (!reads.lookUp()) {
                break;
            }
            if (target.path("name").asText().equals(column)) {
                return Optional.of(new Origin(target.path("val"), inner.scope().inside(select)));
            }
        }
        return Optional.empty();
    }

    /** The tables of the query itself by the names they have in it. */
    private Map<String, Source> sources() {
        if (sources == null) {
            sources = new LinkedHashMap<>();
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
            sources.put(alias(table, table.path("relname").asText()), table(table));
        } else if (!subquery.isMissingNode()) {
            boolean renamed = subquery.path("alias").has("colnames");
            sources.put(alias(subquery, ""), new Query(subquery.path("subquery"), renamed, this));
        } else {
            sources.put(alias(item.path("RangeFunction"), ""), new Table(false));
        }
    }

    private static String alias(JsonNode source, String otherwise) {
        return source.path("alias").path("aliasname").asText(otherwise);
    }

    private Source table(JsonNode table) {
        String name = table.path("relname").asText();
        if (table.has("schemaname")) {
            return new Table(CatalogReads.isCatalog(table.get("schemaname").asText()));
        }
        for (CatalogScope scope = this; scope != null; scope = scope.outer) {
            JsonNode with = scope.query.path("withClause");
            for (int i = 0; i < scope.parts; i++) {
                JsonNode part = with.path("ctes").path(i).path("CommonTableExpr");
                if (part.path("ctename").asText().equals(name)) {
                    boolean renamed =
                            part.has("aliascolnames") || table.path("alias").has("colnames");
                    int seen = with.path("recursive").asBoolean() ? scope.parts : i;
                    return new Query(part.path("ctequery"), renamed, scope.ofPart(seen));
                }
            }
        }
        return new Table(SupabaseAliases.isCatalogRelation(name));
    }

    /** Around a query in the WITH clause, which sees those before it and none of the tables in FROM. */
    private CatalogScope ofPart(int before) {
        ObjectNode with = JsonNodeFactory.instance.objectNode();
        with.set("withClause", query.path("withClause"));
        return new CatalogScope(reads, outer, with, before);
    }
}
