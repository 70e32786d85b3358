package svc.sqlgate.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import svc.database.shared.CatalogViews;
import svc.database.sql.Identifier;
import svc.sqlgate.lexical.Token;
import svc.sqlgate.script.Replacement;

/**
 * {@code SET search_path} of a function: the project's schemas, and before the catalog the filtered views, without which
 * no unqualified name of the catalog can be read. The server searches pg_catalog first when a path leaves it out; here
 * it comes behind the schemas that were named, as it does for every session of a project.
 */
final class SearchPathClause {
    /** Quoted where it begins, because a word may stand right before what it replaces. */
    private static final String CATALOG = Identifier.of(CatalogViews.SCHEMA).sql() + ", pg_catalog";

    private final SupabaseAliases names;

    SearchPathClause(SupabaseAliases names) {
        this.names = names;
    }

    /** SET by itself. One that names none but the main schema changes nothing, and stays as it is. */
    void visitStatement(JsonNode statement, StatementEdits edits) {
        for (JsonNode arg : statement.path("args")) {
            if (names.isOfOwner(Nodes.value(arg.path("A_Const")))) {
                visit(statement, edits);
                return;
            }
        }
    }

    void visit(JsonNode clause, StatementEdits edits) {
        if (!"search_path".equalsIgnoreCase(clause.path("name").asText())
                || !"VAR_SET_VALUE".equals(clause.path("kind").asText())) {
            return;
        }
        List<Integer> places = new ArrayList<>();
        List<String> schemas = new ArrayList<>();
        for (JsonNode arg : clause.path("args")) {
            int place = edits.at(Nodes.location(arg.path("A_Const")));
            if (place < 0 || !arg.path("A_Const").has("sval")) {
                return;
            }
            places.add(place);
            schemas.add(Nodes.value(arg.path("A_Const")));
        }
        int catalog = names.filteredCatalog() && !schemas.contains(CatalogViews.SCHEMA) ? catalogBefore(schemas) : -1;
        for (int i = 0; i < places.size(); i++) {
            place(edits, places.get(i), schemas.get(i), i == catalog ? CATALOG + ", " : "");
        }
        if (catalog == schemas.size() && !places.isEmpty() && !onlyEmpty(schemas)) {
            int end = edits.tokens().get(places.getLast()).end();
            edits.put(new Replacement(end, end, ", " + CATALOG));
        }
    }

    /** Where in the path the catalog comes: where it stands, or before pg_temp, or at the end. */
    private static int catalogBefore(List<String> schemas) {
        int explicit = schemas.indexOf("pg_catalog");
        int temporary = schemas.indexOf("pg_temp");
        return explicit >= 0 ? explicit : temporary >= 0 ? temporary : schemas.size();
    }

    private void place(StatementEdits edits, int index, String schema, String before) {
        Token token = edits.tokens().get(index);
        String real = names.schema(schema).orElse(schema);
        boolean catalog = "pg_catalog".equals(schema) && !before.isEmpty();
        if (catalog || schema.isEmpty() && names.filteredCatalog()) {
            edits.put(new Replacement(token.start(), token.end(), CATALOG));
        } else if (!real.equals(schema) || !before.isEmpty()) {
            String written = real.equals(schema)
                    ? edits.tokens().raw(index)
                    : NameConstant.inPlaceOf(token, real).text();
            String common = names.commonSchema(schema)
                    .map(functions -> ", " + Identifier.of(functions).sql())
                    .orElse("");
            edits.put(new Replacement(token.start(), token.end(), before + written + common));
        }
    }

    private static boolean onlyEmpty(List<String> schemas) {
        return schemas.stream().allMatch(String::isEmpty);
    }
}
