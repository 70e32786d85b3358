package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import svc.database.shared.CatalogViews;
import svc.sqlgate.parser.Statement;

/**
 * Whether a query reads the catalog and no rows of an application, so that each text in its result is about the database itself.
 * Linear in the tree. Pure.
 */
public final class CatalogReads {
    private static final Set<String> SCHEMAS =
            Set.of(CatalogViews.SCHEMA, CatalogViews.INFORMATION_SCHEMA, "pg_catalog", "information_schema");

    private CatalogReads() {}

    /** The numbers of the statements that are such queries. */
    public static Set<Integer> among(Stream<Statement> statements) {
        return statements
                .filter(statement -> only(statement.kind(), statement.tree()))
                .map(Statement::number)
                .collect(Collectors.toSet());
    }

    /**
     * At least one relation of the catalog, and none beside it but those of WITH; SHOW answers with the server's own settings.
     *
     * @param kind the grammar's name of the statement
     * @param tree of the statement, with the project's names or with those that its caller wrote
     */
    static boolean only(String kind, JsonNode tree) {
        return kind.equals("VariableShowStmt") || kind.equals("SelectStmt") && readsCatalog(tree);
    }

    private static boolean readsCatalog(JsonNode tree) {
        Set<String> unqualified = new HashSet<>();
        Set<String> ofWith = new HashSet<>();
        boolean found = false;
        Deque<JsonNode> open = new ArrayDeque<>();
        open.push(tree);
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            if (node.has("ctename")) {
                ofWith.add(node.get("ctename").asText());
            }
            if (node.has("relname")) {
                String relation = node.get("relname").asText();
                if (isOfCatalog(node.path("schemaname").asText(), relation)) {
                    found = true;
                } else if (node.has("schemaname")) {
                    return false;
                } else {
                    unqualified.add(relation);
                }
            }
            for (JsonNode child : node) {
                if (child.isContainerNode()) {
                    open.push(child);
                }
            }
        }
        return found && ofWith.containsAll(unqualified);
    }

    private static boolean isOfCatalog(String schema, String relation) {
        return schema.isEmpty() ? SupabaseAliases.isCatalogRelation(relation) : SCHEMAS.contains(schema);
    }
}
