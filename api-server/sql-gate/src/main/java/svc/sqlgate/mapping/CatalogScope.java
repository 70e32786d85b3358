package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables that a column in a part of a statement may be of, in PostgreSQL's order: the inner query's come first. */
final class CatalogScope {
    private final Bounds bounds;
    private final CatalogScope outer;
    private final JsonNode query;
    private final With with;
    private List<Source> sources;
    private Map<String, Source> named;

    private CatalogScope(Bounds bounds, CatalogScope outer, JsonNode query, With with) {
        this.bounds = bounds;
        this.outer = outer;
        this.query = query;
        this.with = with;
    }

    /** What all scopes of one statement share: each query has one scope, and the work for all of them has a limit. */
    private static final class Bounds {
        private static final int MAX_LOOK_UPS = 100_000;

        private final Map<JsonNode, CatalogScope> scopes = new IdentityHashMap<>();
        private int lookUps;
    }

    /**
     * The queries of a WITH clause.
     *
     * @param places of the queries by their names
     * @param visible how many of them, from the first on, can be named here
     */
    private record With(JsonNode clause, Map<String, Integer> places, int visible) {
        private static With of(JsonNode query) {
            JsonNode clause = query.path("withClause");
            JsonNode parts = clause.path("ctes");
            Map<String, Integer> places = new HashMap<>();
            for (int i = 0; i < parts.size(); i++) {
                places.putIfAbsent(
                        parts.get(i).path("CommonTableExpr").path("ctename").asText(), i);
            }
            return new With(clause, places, parts.size());
        }

        /** As the query at a place sees it: only what stands before it, unless the clause is recursive. */
        private With at(int place) {
            return new With(
                    clause,
                    places,
                    clause.path("recursive").asBoolean() ? clause.path("ctes").size() : place);
        }

        private Optional<Integer> place(String name) {
            return Optional.ofNullable(places.get(name)).filter(place -> place < visible);
        }

        private JsonNode part(int place) {
            return clause.path("ctes").path(place).path("CommonTableExpr");
        }
    }

    /** A table of a query. */
    sealed interface Source {}

    /** A relation of {@code pg_catalog}. */
    record ServerRelation(String name) implements Source {}

    /** A relation of {@code information_schema}. */
    record InformationRelation() implements Source {}

    /**
     * A subquery, or a query in a WITH clause.
     *
     * @param select missing for a statement that changes rows
     * @param columns names that its first columns get instead of their own
     * @param scope around it
     */
    record Query(JsonNode select, List<String> columns, CatalogScope scope) implements Source {}

    /**
     * What has columns that the statement does not show.
     *
     * @param table whether it is a table of the application's, which may have a column of any name
     * @param columns some that it has
     */
    record Opaque(boolean table, Set<String> columns) implements Source {}

    /** Around a whole statement. */
    static CatalogScope outermost() {
        JsonNode none = MissingNode.getInstance();
        return new CatalogScope(new Bounds(), null, none, With.of(none));
    }

    /** The scope of what is inside of a node. */
    CatalogScope inside(JsonNode node) {
        if (node.has("ctename")) {
            return ofPart(node);
        }
        boolean tables = node.has("fromClause")
                || node.has("withClause")
                || node.path("relation").has("relname");
        return tables
                ? bounds.scopes.computeIfAbsent(node, any -> new CatalogScope(bounds, this, node, With.of(node)))
                : this;
    }

    /** The query whose tables are looked for after those of this one. */
    Optional<CatalogScope> outer() {
        return Optional.ofNullable(outer);
    }

    /** Counts a step; false when the statement has made us do enough: its remaining names are then left as they are. */
    boolean lookUp() {
        return bounds.lookUps++ < Bounds.MAX_LOOK_UPS;
    }

    /** The tables of this query. */
    List<Source> sources() {
        if (sources == null) {
            load();
        }
        return sources;
    }

    /** The table of this query or of one around it that is called so. */
    Optional<Source> source(String name) {
        for (CatalogScope scope = this; scope != null && lookUp(); scope = scope.outer) {
            scope.sources();
            Source source = scope.named.get(name);
            if (source != null) {
                return Optional.of(source);
            }
        }
        return Optional.empty();
    }

    private void load() {
        sources = new ArrayList<>();
        named = new HashMap<>();
        Deque<JsonNode> open = new ArrayDeque<>();
        query.path("fromClause").forEach(open::push);
        query.path("usingClause").forEach(open::push);
        if (query.has("sourceRelation")) {
            open.push(query.get("sourceRelation"));
        }
        while (!open.isEmpty()) {
            source(open.pop(), open);
        }
        JsonNode target = query.path("relation");
        if (target.has("relname")) {
            put(alias(target, target.path("relname").asText()), new Opaque(true, Set.of()));
        }
    }

    private void put(String name, Source source) {
        sources.add(source);
        named.putIfAbsent(name, source);
    }

    private void source(JsonNode item, Deque<JsonNode> open) {
        JsonNode join = item.path("JoinExpr");
        if (!join.isMissingNode()) {
            open.push(join.path("larg"));
            open.push(join.path("rarg"));
            for (String field : List.of("alias", "join_using_alias")) {
                if (join.has(field)) {
                    put(join.path(field).path("aliasname").asText(), new Opaque(false, Set.of()));
                }
            }
            return;
        }
        JsonNode sample = item.path("RangeTableSample").path("relation");
        JsonNode table = (sample.isMissingNode() ? item : sample).path("RangeVar");
        JsonNode subquery = item.path("RangeSubselect");
        if (!table.isMissingNode()) {
            put(alias(table, table.path("relname").asText()), table(table));
        } else if (!subquery.isMissingNode()) {
            JsonNode select = subquery.path("subquery").path("SelectStmt");
            put(alias(subquery, ""), new Query(select, columns(subquery), this));
        } else {
            for (JsonNode rows : item) {
                put(alias(rows, ""), rows(rows));
            }
        }
    }

    private static String alias(JsonNode source, String otherwise) {
        return source.path("alias").path("aliasname").asText(otherwise);
    }

    private static List<String> columns(JsonNode source) {
        return Nodes.texts(source.path("alias").path("colnames"));
    }

    /** A function, or anything else that makes rows. One column is called as the whole. */
    private static Source rows(JsonNode rows) {
        Set<String> columns = new HashSet<>(columns(rows));
        columns.add(alias(rows, ""));
        for (JsonNode definition : rows.path("coldeflist")) {
            columns.add(definition.path("ColumnDef").path("colname").asText());
        }
        return new Opaque(false, columns);
    }

    private Source table(JsonNode table) {
        String name = table.path("relname").asText();
        if (!table.has("schemaname")) {
            Optional<Source> part = part(name, table);
            if (part.isPresent()) {
                return part.get();
            }
        }
        String schema = table.path("schemaname").asText();
        // Columns that got other names by their places are not known.
        if (!columns(table).isEmpty()) {
            return new Opaque(true, Set.of());
        }
        if (CatalogColumns.isInformation(schema)) {
            return new InformationRelation();
        }
        boolean server = table.has("schemaname")
                ? CatalogColumns.isServer(schema)
                : CatalogColumns.isRelation(name) || SupabaseAliases.isCatalogRelation(name);
        return server ? new ServerRelation(name) : new Opaque(true, Set.of());
    }

    /** The query of that name in the nearest WITH clause that has one. */
    private Optional<Source> part(String name, JsonNode table) {
        for (CatalogScope scope = this; scope != null; scope = scope.outer) {
            Optional<Integer> place = scope.with.place(name);
            if (place.isPresent()) {
                JsonNode part = scope.with.part(place.get());
                List<String> columns = new ArrayList<>(columns(table));
                List<String> own = Nodes.texts(part.path("aliascolnames"));
                columns.addAll(own.subList(Math.min(columns.size(), own.size()), own.size()));
                return Optional.of(new Query(part.path("ctequery").path("SelectStmt"), columns, scope.ofPart(part)));
            }
        }
        return Optional.empty();
    }

    /** Inside of a query of the WITH clause, which sees those before it and none of the tables in FROM. */
    private CatalogScope ofPart(JsonNode part) {
        int place = with.places().getOrDefault(part.path("ctename").asText(), 0);
        return bounds.scopes.computeIfAbsent(part, any -> {
            ObjectNode noTables = JsonNodeFactory.instance.objectNode();
            return new CatalogScope(bounds, outer, noTables, with.at(place));
        });
    }
}
